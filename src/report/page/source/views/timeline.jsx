// Resident waves over the time, by what they did.
import { range, max } from 'd3-array';
import { scaleLinear } from 'd3-scale';
import { area, curveStepAfter, stack } from 'd3-shape';
import { useRef, useState } from 'preact/hooks';
import { AxisX, AxisY, Chart } from '../chart.jsx';
import { Key, Soft, useCursor } from '../parts.jsx';
import { colour, whole } from '../format.js';

// Of buckets, of which the last one ends with the launch.
function Stalls({ stalls, end, wave }) {
  const { reasons, bucket_cycles: each } = stalls, count = stalls.buckets;
  const [chosen, choose] = useState(null);
  const frame = useRef(null);
  const layers = stack().keys(range(reasons.length)).value((bucket, reason) => reasons[reason].waves[bucket])(range(count));
  const most = Math.max(1, max(layers[layers.length - 1] || [], (one) => one[1]) || 0);
  const words = (at) => `cycle ${whole(at * each)}: ` + reasons.filter((one) => one.waves[at] > 0)
    .map((one) => one.name + ' ' + one.waves[at].toFixed(1)).join(', ');
  const find = (event) => {
    const { left, right } = frame.current, box = event.currentTarget.getBoundingClientRect();
    return Math.floor((event.clientX - box.left - left) / (right - left) * end / each);
  };
  const [at, cursor] = useCursor(count, find, words);
  const draw = (f) => {
    const x = scaleLinear([0, end], [f.left, f.right]), y = scaleLinear([0, most], [f.bottom, f.top]);
    // A further point ends the last bucket.
    const shape = area().curve(curveStepAfter).x((one, i) => x(Math.min(end, i * each))).y0((one) => y(one[0])).y1((one) => y(one[1]));
    return <>
      <AxisY frame={f} scale={y} values={y.ticks(4)} text={whole} title={wave} />
      {layers.map((layer, i) => (
        <path d={shape([...layer, layer[count - 1]])} style={{ fill: colour(i), opacity: chosen === null || chosen === i ? 1 : .15 }}>
          <title>{reasons[i].name}</title>
        </path>
      ))}
      <AxisX frame={f} scale={x} values={x.ticks(f.narrow ? 4 : 8)} text={whole} title="cycles" />
      {at >= 0 && <line class="cursor" x1={x((at + .5) * each)} x2={x((at + .5) * each)} y1={f.top} y2={f.bottom} />}
    </>;
  };
  return <>
    <Chart height={270} label={`resident ${wave} over the time, by what they did`} draw={draw} margins={{ bottom: 42, top: 22 }}
      attributes={cursor} readFrame={(f) => { frame.current = f; }} />
    <p class="soft read">{at < 0 ? 'point into the picture, or go through it with the arrow keys' : 'cycles ' + whole(at * each) + ' to ' +
      whole(Math.min(end, (at + 1) * each))}</p>
    <div class="legend">
      {reasons.map((one, i) => (
        <button class="plain" aria-pressed={chosen === i} onClick={() => choose(chosen === i ? null : i)}>
          <Key fill={colour(i)} />{one.name}{at >= 0 ? ' ' + one.waves[at].toFixed(1) : ''}</button>
      ))}
    </div>
  </>;
}

function Resident({ timeline, end, wave }) {
  const most = Math.max(1, max(timeline, (one) => one.mean_waves));
  const draw = (f) => {
    const x = scaleLinear([0, end], [f.left, f.right]), y = scaleLinear([0, most], [f.bottom, f.top]);
    const shape = area().curve(curveStepAfter).x((one) => x(one[0])).y0(y(0)).y1((one) => y(one[1]));
    const last = timeline[timeline.length - 1];
    const steps = [...timeline.map((one) => [one.begin_cycle, one.mean_waves]), [last.begin_cycle + last.cycles, last.mean_waves]];
    return <>
      <AxisY frame={f} scale={y} values={y.ticks(4)} text={whole} title={wave} />
      <path class="area" d={shape(steps)} />
      <AxisX frame={f} scale={x} values={x.ticks(f.narrow ? 4 : 8)} text={whole} title="cycles" />
    </>;
  };
  return <Chart height={270} label={`resident ${wave} over the time`} draw={draw} margins={{ bottom: 42, top: 22 }} />;
}

export function timeline({ views, report, stalls }) {
  const r = views.residency;
  if (!r || r.timeline.length === 0) return null;
  return {
    title: 'Resident ' + r.wave + 's',
    body: <>
      <Soft>{r.achieved_waves.toFixed(1)} a {r.unit} on average, {r.theoretical_waves} can be, {r.wave_slots} have slots;{' '}
        {r.units_used} of {r.units} {r.unit}s used{stalls ? '; by what they did' : ''}
        {stalls && stalls.alone ? ', on a device of its own, whose caches had nothing of launches before' : ''}</Soft>
      {stalls ? <Stalls wave={r.wave + 's'} stalls={stalls} end={stalls.cycles} /> : <Resident wave={r.wave + 's'} timeline={r.timeline} end={report.cycles} />}
    </>,
  };
}
