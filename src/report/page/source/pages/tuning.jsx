// A search: each dimension by itself, each two as a map of the best time that the others allow, all points.
import { cross, max } from 'd3-array';
import { scaleLinear } from 'd3-scale';
import { curveStepAfter, line } from 'd3-shape';
import { AxisX, AxisY, Chart } from '../chart.jsx';
import { Cell, Soft, Table, Track } from '../parts.jsx';
import { duration, whole } from '../format.js';

const most = 50;  // rows of a table

function dimensions(axes, best, least) {
  const columns = (axis) => [{ title: axis.name }, { title: '' }, { title: 'best', number: true }, { title: 'times', number: true }];
  return {
    title: 'Each dimension',
    body: <>
      <Soft>the best time with each value, whatever the others are; the longer the bar, the faster</Soft>
      <div class="beside">
        {axes.map((axis) => <div><Table columns={columns(axis)}>
          {axis.values.map((value) => {
            const ns = least((row) => row[axis.name] === value);
            return (
              <tr>
                <Cell text={value} kind="name" /><Track parts={[[ns ? best / ns : 0, ns === best ? 'save' : '']]} />
                <Cell text={ns ? duration(ns) : ''} kind="number" /><Cell text={ns ? (ns / best).toFixed(2) : ''} kind="number" />
              </tr>
            );
          })}
        </Table></div>)}
      </div>
    </>,
  };
}

function Map({ down, across, best, least }) {
  const cell = (y, x) => {
    const ns = least((row) => row[down.name] === y && row[across.name] === x);
    const strength = ns ? (.7 * (best / ns) ** 2).toFixed(3) : 0;
    return <td class={ns === best ? 'best' : ''} style={{ background: `rgba(var(--heat),${strength})` }} title={ns ? duration(ns) : 'none'}>
      {ns ? (ns / best).toFixed(2) : ''}</td>;
  };
  return (
    <div class="scroll" tabindex={0} role="group" aria-label={`${down.name} by ${across.name}`}><table class="map">
      <caption>{down.name} by {across.name}</caption>
      <thead><tr><th />{across.values.map((value) => <th scope="col">{value}</th>)}</tr></thead>
      <tbody>{down.values.map((y) => <tr><th scope="row">{y}</th>{across.values.map((x) => cell(y, x))}</tr>)}</tbody>
    </table></div>
  );
}

function maps(axes, best, least) {
  const pairs = cross(axes.keys(), axes.keys()).filter(([a, b]) => a < b);
  return {
    title: 'Each two dimensions',
    body: <>
      <Soft>times the fastest, the best that the other dimensions allow; the stronger the colour, the faster; empty where no point
        could be timed</Soft>
      {pairs.map(([a, b]) => <Map down={axes[a]} across={axes[b]} best={best} least={least} />)}
    </>,
  };
}

// How many points are nearly as good: the times of all, the fastest first.
function spread(good, best) {
  const times = good.map((row) => row.time_ns / best);
  const draw = (f) => {
    const x = scaleLinear([0, times.length], [f.left, f.right]), y = scaleLinear([1, Math.max(1.05, max(times))], [f.bottom, f.top]).nice(4);
    const shape = line().curve(curveStepAfter).x((one, i) => x(i)).y((one) => y(one));
    return <>
      <AxisX frame={f} scale={x} values={x.ticks(f.narrow ? 4 : 8).filter(Number.isInteger)} text={whole} title="points, the fastest first" />
      <AxisY frame={f} scale={y} values={y.ticks(4)} text={(value) => String(value)} title="times the fastest" />
      <path class="curve" d={shape([...times, times[times.length - 1]])} />
    </>;
  };
  const near = times.filter((one) => one <= 1.05).length;
  return {
    title: 'All points by their time',
    body: <>
      <Soft>{whole(near)} of {whole(times.length)} take at most 1.05 times the fastest</Soft>
      <Chart height={220} label="all points by their time" draw={draw} margins={{ bottom: 42, top: 22 }} />
    </>,
  };
}

export function tuningPage(search) {
  const good = search.rows.filter((row) => !row.error && row.time_ns !== null).sort((a, b) => a.time_ns - b.time_ns);
  const failed = search.rows.filter((row) => row.error), best = good.length ? good[0].time_ns : 0;
  const axes = search.axes.filter((axis) => axis.values.length > 1), names = search.axes.map((axis) => axis.name);
  const least = (fits) => { const row = good.find(fits); return row ? row.time_ns : null; };
  const values = (row) => names.map((name) => <Cell text={row[name]} />);
  const sections = [{
    title: 'The fastest',
    body: good.length ? <p class="verdict code">{names.map((name) => name + '=' + good[0][name]).join('  ')}</p> : <p>No point could be timed.</p>,
  }];
  if (good.length && axes.length) sections.push(dimensions(axes, best, least));
  if (good.length && axes.length > 1) sections.push(maps(axes, best, least));
  if (good.length > 2) sections.push(spread(good, best));
  sections.push({
    title: 'Points',
    body: <>
      {good.length > most && <Soft>the {most} fastest of {whole(good.length)}</Soft>}
      <Table columns={[{ title: 'time', number: true }, { title: 'times', number: true }, ...names.map((title) => ({ title })), { title: 'bound by', wide: true }]}>
        {good.slice(0, most).map((row) => (
          <tr><Cell text={duration(row.time_ns)} kind="number" /><Cell text={(row.time_ns / best).toFixed(2)} kind="number" />{values(row)}<Cell text={row.bound} kind="wide" /></tr>
        ))}
      </Table>
    </>,
  });
  if (failed.length) sections.push({
    title: 'Points that failed',
    body: <Table columns={[...names.map((title) => ({ title })), { title: 'error' }]}>
      {failed.slice(0, most).map((row) => <tr>{values(row)}<Cell text={row.error.split('\n')[0]} kind="name" /></tr>)}
    </Table>,
  });
  return {
    name: 'tuning ' + search.title,
    title: search.title,
    about: `${whole(search.rows.length)} points on ${search.gpu}, ${whole(good.length)} timed` + (good.length
      ? `; the fastest takes ${duration(best)}, the slowest ${(good[good.length - 1].time_ns / best).toFixed(2)} times as long` : ''),
    sections,
  };
}
