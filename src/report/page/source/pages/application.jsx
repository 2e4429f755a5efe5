// All launches of an application; below them the report of the one that is chosen.
import { cumsum } from 'd3-array';
import { scaleLinear } from 'd3-scale';
import { Chart } from '../chart.jsx';
import { Cell, Key, Soft, Table, Track } from '../parts.jsx';
import { colour, duration, percent, whole } from '../format.js';
import { launchSections, timing } from './launch.jsx';

const time = (ns) => (ns ? duration(ns) : 'not timed');

function kernels(app) {
  const causes = (bound) => Object.entries(bound).map(([cause, count]) => cause + (Object.keys(bound).length > 1 ? ` (${count})` : '')).join(', ');
  const columns = [{ title: '' }, { title: 'kernel' }, { title: 'GPU', wide: true }, { title: 'launches', number: true }, { title: '' },
    { title: 'time', number: true }, { title: 'bound by', wide: true }];
  return {
    title: 'Kernels',
    body: <Table columns={columns}>
      {app.kernels.map((one, i) => (
        <tr>
          <td><Key fill={colour(i)} /></td><Cell text={one.kernel} kind="name" /><Cell text={one.gpu} kind="wide" /><Cell text={whole(one.launches)} kind="number" />
          <Track parts={[[app.time_ns ? (one.time_ns || 0) / app.time_ns : 0, '']]} />
          <Cell text={time(one.time_ns)} kind="number" /><Cell text={causes(one.bound)} kind="wide" />
        </tr>
      ))}
    </Table>,
  };
}

function launches(app, reports, choose) {
  const ends = cumsum(app.timeline, (one) => one[1]), total = ends[ends.length - 1];
  if (!total) return null;
  const draw = (f) => {
    const x = scaleLinear([0, total], [f.left, f.right]);
    return app.timeline.map(([kernel, ns, name], i) => {
      const known = Boolean(reports[name]), width = x(ends[i]) - x(ends[i] - ns);
      // What is narrower than that nobody sees; thousands of them would only make the page slow.
      return width < .2 ? null : (
        <rect x={x(ends[i] - ns).toFixed(1)} y={4} width={width.toFixed(2)} height={38} style={{ fill: colour(kernel), cursor: known ? 'pointer' : '' }}
          onClick={() => known && choose(name)}><title>{app.kernels[kernel].kernel}: {duration(ns)}</title></rect>
      );
    });
  };
  return {
    title: 'Launches in their order',
    body: <>
      <Soft>each as long as its modelled time{app.left_out ? `; ${whole(app.left_out)} further ones are not drawn` : ''}</Soft>
      <Chart height={46} label="launches in their order" draw={draw} margins={{ left: 0, right: 0, top: 0, bottom: 0 }} />
    </>,
  };
}

function costliest(app, reports, chosen, choose) {
  const helps = ({ views }) => {
    const first = (views.advice || [])[0];
    if (views.what_if && views.what_if.missing) return 'cannot be told: ' + views.what_if.missing;
    if (first) return first.title + ': about ' + percent(first.saved_share, 0) + ' less time';
    return views.bound ? 'bound by ' + views.bound.title : '';
  };
  const columns = [{ title: 'report' }, { title: 'launches', number: true }, { title: '' }, { title: 'longest', number: true }, { title: 'what would help', wide: true }];
  return {
    title: 'Those that cost most',
    body: <Table columns={columns}>
      {app.shown.map((one) => (
        <tr>
          <td><button aria-pressed={chosen === one.report} onClick={() => choose(one.report)}>{one.report}</button></td>
          <Cell text={whole(one.launches)} kind="number" /><Track parts={[[app.time_ns ? one.all_ns / app.time_ns : 0, '']]} />
          <Cell text={time(one.time_ns)} kind="number" /><Cell text={helps(reports[one.report])} kind="wide" />
        </tr>
      ))}
    </Table>,
  };
}

// `choose` is called with a report's name.
export function applicationPage({ application: app, reports, pictures = {} }, chosen, choose) {
  const sections = [kernels(app), launches(app, reports, choose), costliest(app, reports, chosen, choose)].filter(Boolean);
  if (chosen) {
    const report = reports[chosen];
    sections.push({ title: chosen, body: <Soft>{report.gpu}: {timing(report)}</Soft>, first: true });
    sections.push(...launchSections({ report, ...pictures[chosen] }).map((one) => ({ ...one, key: chosen + ' ' + one.title })));
  }
  return {
    name: app.command.join(' '),
    title: app.command.join(' '),
    about: `${whole(app.launches)} launches of ${app.kernels.length} kernels` +
      (app.time_ns ? `, ${duration(app.time_ns)} on the modelled GPU` : ', not timed') +
      (app.failed ? `, ${app.failed} failed` : '') + (app.violations ? `, ${app.violations} violations` : ''),
    sections,
  };
}
