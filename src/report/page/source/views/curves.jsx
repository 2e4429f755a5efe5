// Occupancy by what a group needs, and what caches of any size would keep: steps with marks on them.
import { bisector, max, range } from 'd3-array';
import { scaleLinear, scaleLog } from 'd3-scale';
import { curveStepAfter, line } from 'd3-shape';
import { AxisX, AxisY, Chart } from '../chart.jsx';
import { Soft } from '../parts.jsx';
import { percent, size, whole } from '../format.js';

const step = line().curve(curveStepAfter);
// The value of steps [from, value] at a place.
const from = bisector((row) => row[0]);
const valueAt = (rows, place) => { const i = from.right(rows, place); return i ? rows[i - 1][1] : 0; };

function Occupancy({ curve, wave }) {
  const { rows, current } = curve, last = rows[rows.length - 1][0], most = Math.max(1, max(rows, (row) => row[1]));
  const draw = (f) => {
    const x = scaleLinear([0, last], [f.left, f.right]), y = scaleLinear([0, most], [f.bottom, f.top]).nice(4);
    return <>
      <AxisX frame={f} scale={x} values={x.ticks(f.narrow ? 4 : 6)} text={whole} />
      <AxisY frame={f} scale={y} values={y.ticks(4)} text={whole} />
      <path class="curve" d={step(rows.map(([place, waves]) => [x(place), y(waves)]))} />
      {current > 0 && <g>
        <line class="mark" x1={x(current)} x2={x(current)} y1={f.top} y2={f.bottom} />
        <circle class="point" cx={x(current)} cy={y(valueAt(rows, current))} r={5} />
      </g>}
    </>;
  };
  const now = current > 0 ? `this launch: ${whole(current)}; ${whole(valueAt(rows, current))} ${wave}s` : 'this launch: none';
  return <div><p>{curve.label} <span class="soft">{now}</span></p><Chart height={190} label={curve.label + '; ' + now} draw={draw} margins={{ left: 40 }} /></div>;
}

export function occupancy({ curves, views }) {
  if (!curves.length) return null;
  const { wave = 'wave', unit = 'unit' } = views.residency || {};
  return {
    title: 'Occupancy',
    body: <>
      <Soft>{wave}s that a {unit} holds, by what a group needs; the mark is this launch</Soft>
      <div class="beside">{curves.map((curve) => <Occupancy curve={curve} wave={wave} />)}</div>
    </>,
  };
}

function Kept({ curve, line_bytes }) {
  const caches = curve.caches.filter((one) => one.bytes > 0), rows = curve.rows.length ? curve.rows : [[line_bytes, 0]];
  const end = 1.4 * Math.max(16 * line_bytes, rows[rows.length - 1][0], ...caches.map((one) => one.bytes));
  const kept = (bytes) => Math.max(0, valueAt(rows, bytes));
  const draw = (f) => {
    const x = scaleLog([line_bytes, end], [f.left, f.right]), y = scaleLinear([0, 1], [f.bottom, f.top]);
    // About sixty pixels for each word.
    const every = 60 * Math.log2(end / line_bytes) > 4 * (f.right - f.left) ? 8 : 4;
    const sizes = range(every * Math.ceil(Math.log2(line_bytes) / every), Math.log2(end), every).map((power) => 2 ** power);
    const points = [...rows, [end, rows[rows.length - 1][1]]];
    return <>
      <AxisX frame={f} scale={x} values={sizes} text={size} />
      <AxisY frame={f} scale={y} values={[0, .25, .5, .75, 1]} text={(share) => percent(share, 0)} />
      <path class="curve" d={step(points.map(([bytes, share]) => [x(bytes), y(share)]))} />
      {caches.map((one) => <g>
        <line class="mark" x1={x(one.bytes)} x2={x(one.bytes)} y1={f.top} y2={f.bottom} />
        <circle class="point" cx={x(one.bytes)} cy={y(kept(one.bytes))} r={5}><title>{one.title}</title></circle>
      </g>)}
    </>;
  };
  return (
    <div>
      <p>{curve.title}</p>
      <Chart height={230} label={'cache footprint ' + curve.title} draw={draw} />
      {caches.map((one) => <Soft>{one.title}, {size(one.bytes)}: {percent(kept(one.bytes))} would be there</Soft>)}
    </div>
  );
}

export function footprint({ footprint: f }) {
  if (!f) return null;
  return {
    title: 'Cache footprint',
    body: <>
      <Soft>the share of the touched lines that a cache of so many bytes would still have, wherever they lie in it; the marks are
        caches that this GPU has. Of {whole(f.touches)} touches of lines of {f.line_bytes} bytes
        {f.left_out ? '; ' + whole(f.left_out) + ' later ones are left out' : ''}</Soft>
      <div class="beside">{f.curves.map((curve) => <Kept curve={curve} line_bytes={f.line_bytes} />)}</div>
    </>,
  };
}
