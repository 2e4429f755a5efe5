import { extent } from 'd3-array';
import { scaleLog } from 'd3-scale';
import { AxisX, AxisY, Chart } from '../chart.jsx';
import { Key, Soft } from '../parts.jsx';
import { colour, scaled } from '../format.js';

const powers = (scale) => scale.ticks().filter((value) => Math.abs(Math.log10(value) % 1) < 1e-9);
// 0.001 to 1000 as they are, beyond that as a power.
const amount = (value) => (value >= 1e-3 && value <= 1e3 ? String(+value.toPrecision(3)) : '1e' + Math.round(Math.log10(value)));

export function roofline({ roofline: r }) {
  if (!r || r.operations === 0) return null;
  const points = r.levels.filter((one) => one.bytes > 0).map((one) => ({ ...one, x: r.operations / one.bytes }));
  if (points.length === 0) return null;
  const [least, most] = extent(points.flatMap((one) => [one.x, r.peak / one.ceiling]));
  const draw = (frame) => {
    const x = scaleLog([least / 3.2, most * 3.2], [frame.left, frame.right]);
    const top = r.peak * 2, y = scaleLog([Math.min(r.achieved / 5, top / 100), top], [frame.bottom, frame.top]).clamp(true);
    // A roof rises from the left edge, or from where the picture begins, to its knee.
    const roof = (one) => {
      const from = Math.max(x.domain()[0], y.domain()[0] / one.ceiling);
      return `M${x(from)} ${y(from * one.ceiling)}L${x(r.peak / one.ceiling)} ${y(r.peak)}L${frame.right} ${y(r.peak)}`;
    };
    return <>
      <AxisX frame={frame} scale={x} values={powers(x)} text={amount} title="lane operations a byte" grid />
      <AxisY frame={frame} scale={y} values={powers(y)} text={(value) => scaled(value, '').replace(/\.0*(?= )/, '')} title="lane operations a second" />
      {points.map((one, i) => <path class="roof" d={roof(one)} style={{ stroke: colour(i) }} />)}
      {points.map((one, i) => (
        <g>
          <line class="drop" x1={x(one.x)} x2={x(one.x)} y1={y(r.achieved)} y2={y(Math.min(r.peak, one.x * one.ceiling))} style={{ stroke: colour(i) }} />
          <circle cx={x(one.x)} cy={y(r.achieved)} r={6} style={{ fill: colour(i) }}><title>{one.title}</title></circle>
        </g>
      ))}
    </>;
  };
  const share = (one) => 100 * r.achieved / Math.min(r.peak, one.x * one.ceiling);
  return {
    title: 'Roofline by memory level',
    body: <>
      <Soft>arithmetic of lanes a byte that the level moved, against what its bandwidth and the vector units allow; each point is
        this launch, the line above it what its roof leaves</Soft>
      <Chart height={340} label="roofline by memory level" draw={draw} margins={{ bottom: 42, top: 22 }} />
      <div class="legend">
        {points.map((one, i) => (
          <span><Key fill={colour(i)} />{one.title}: {one.x.toPrecision(3)} a byte, {scaled(one.bytes / r.seconds, 'B/s')} of{' '}
            {scaled(one.ceiling, 'B/s')}; at {share(one).toFixed(0)} % of its roof</span>
        ))}
      </div>
    </>,
  };
}
