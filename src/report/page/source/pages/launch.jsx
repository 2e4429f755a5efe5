// One launch's report.
import { launchData } from '../launch_data.js';
import { duration, scaled, whole } from '../format.js';
import { advice, bound, counters, light, whatIf } from '../views/verdict.jsx';
import { roofline } from '../views/roofline.jsx';
import { timeline } from '../views/timeline.jsx';
import { footprint, occupancy } from '../views/curves.jsx';
import { heat } from '../views/heat.jsx';
import { listing } from '../views/listing.jsx';

// In the order of the page. Each is a function of the launch's data: {title, body}, or null where there is
// nothing to show.
const views = [bound, advice, whatIf, light, roofline, timeline, occupancy, footprint, heat, listing, counters];

export function launchSections(launch) {
  const data = launchData(launch);
  return views.map((view) => view(data)).filter(Boolean);
}

export const timing = (report) => (report.cycles === null || report.cycles === undefined ? 'not timed'
  : whole(report.cycles) + ' cycles, ' + duration(report.time_ns) + ' at ' + scaled(report.clock_hz, 'Hz'));

export function launchPage(launch) {
  const { report } = launch, known = report.views.launch || {};
  return {
    name: report.kernel + ' on ' + report.gpu,
    title: report.kernel + ' on ' + (known.gpu_name || known.gpu || report.gpu),
    about: timing(report),
    sections: launchSections(launch),
  };
}
