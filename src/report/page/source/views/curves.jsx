// Occupancy by what a group needs, and what caches of any size would keep: steps with marks on them.
import { bisector, max } from 'd3-array';
import { scaleLinear, scaleLog } from 'd3-scale';
import { curveStepAfter, line } from 'd3-shape';
import { AxisX, AxisY, Chart } from '../chart.jsx';
import { Soft } from '../parts.jsx';
import { percent, size, whole } from '../format.js';

const step = line().curve(curveStepAfter);
// The value of steps [from, value] at a place.
const from = bisector((row) => row[0]);
const valueAt = (rows, place) => { const i = from.right(rows, place); return i ? rows[i - 1][1] : 0; };

function Occupancy({ curve }) {
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
  const now = current > 0 ? `this launch: ${whole(current)}, ${whole(valueAt(rows, current))} waves` : 'this launch: none';
  return <div><p>{curve.label} <span class="soft">{now}</span></p><Chart height={190} label={curve.label + '; ' + now} draw={draw} margins={{ left: 40 }} /></div>;
}

export function occupancy({ curves }) {
  if (!curves.length) return null;
  return {
    title: 'Occupancy',
    body: <>
      <Soft>waves that a unit holds, by what a group needs; the mark is this launch</Soft>
      <div class="beside">{curves.map((curve) => <Occupancy curve={curve} />)}</div>
    </>,
  };
}

function Kept({ curve, line_bytes }) {
  const caches = curve.caches.filter((one) => one.bytes > 0), rows = curve.rows.length ? curve.rows : [[line_bytes, 0]];
  const end = 1.4 * Math.max(16 * line_bytes, rows[rows.length - 1][0], ...caches.map((one) => one.bytes));
  const kept = (bytes) => Math.max(0, valueAt(rows, bytes));
  const draw = (f) => {
    const x = scaleLog([line_bytes, end], [f.left, f.right]).base(2), y = scaleLinear([0, 1], [f.bottom, f.top]);
    const every = Math.log2(end / line_bytes) > (f.narrow ? 12 : 18) ? 8 : 4;
    const sizes = x.ticks(64).filter((bytes) => Number.isInteger(Math.log2(bytes)) && Math.log2(bytes) % every === 0);
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
