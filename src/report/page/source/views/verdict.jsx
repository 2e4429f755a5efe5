// What bounds the launch, what would help, what one thing less would save, how busy each resource was.
import { Cell, Place, Soft, Table, Track } from '../parts.jsx';
import { percent, scaled, whole } from '../format.js';

export function bound({ views }) {
  const b = views.bound;
  if (!b) return null;
  return {
    title: 'What bounds it',
    body: <>
      <p class="verdict"><b>{b.title}</b>: {b.text}</p>
      <Place at={b.at} />
      {b.also.map((one) => <p>also <b>{one.title}</b>: {one.text}</p>)}
    </>,
  };
}

export function advice({ views }) {
  if (!views.advice) return null;
  const card = (one) => (
    <div class="card">
      <p><strong>about {percent(one.saved_share, 0)} less time</strong>
        {' (' + (one.before_cycles / one.cycles).toFixed(1)} times as fast): <b>{one.title}</b></p>
      <p>{one.action}</p>
      <Soft>because {one.evidence}</Soft>
      <Place at={one.at} />
      <Soft>{one.page}</Soft>
    </div>
  );
  return {
    title: 'What would help',
    body: views.advice.length ? views.advice.map(card) : <p>No rule has anything to say that would save 5 % of the time.</p>,
  };
}

export function whatIf({ views }) {
  const w = views.what_if;
  if (!w) return null;
  const title = 'With one thing changed';
  if (w.missing) return { title, body: <p>cannot be told: {w.missing}</p> };
  const columns = [{ title: 'question' }, { title: '' }, { title: 'saves', number: true }, { title: 'cycles left', number: true, wide: true }];
  return {
    title,
    body: <>
      {w.timing_dependent && <p>What waves do depends on when: all of this is played as it was recorded.</p>}
      <Table columns={columns}>
        {w.answers.filter((one) => one.by !== 'nothing').map((one) => (
          <tr>
            <Cell text={one.title} /><Track parts={[[one.saved_share, 'save']]} />
            <Cell text={percent(one.saved_share)} kind="number" /><Cell text={whole(one.cycles)} kind="number wide" />
          </tr>
        ))}
      </Table>
    </>,
  };
}

export function light({ views }) {
  const b = views.bound;
  if (!b) return null;
  const columns = [{ title: 'resource' }, { title: '' }, { title: 'busiest', number: true }, { title: 'mean', number: true },
    { title: 'moved, of what it could', wide: true }];
  return {
    title: 'Speed of light',
    body: <>
      <Soft>how long the busiest unit of each resource worked; the narrow bar is the mean</Soft>
      <Table columns={columns}>
        {b.resources.map((one) => (
          <tr title={one.meaning}>
            <Cell text={one.title} /><Track parts={[[one.busiest, ''], [one.mean, 'mean']]} />
            <Cell text={percent(one.busiest)} kind="number" /><Cell text={percent(one.mean)} kind="number" />
            <Cell text={one.ceiling ? scaled(one.achieved, one.unit) + ' of ' + scaled(one.ceiling, one.unit) : ''} kind="wide" />
          </tr>
        ))}
      </Table>
    </>,
  };
}

export function counters({ views }) {
  if (!views.counters) return null;
  const columns = [{ title: 'counter' }, { title: 'value', number: true }, { title: 'unit' }, { title: 'meaning' }];
  return {
    title: 'Counters',
    body: <details>
      <summary>all {views.counters.length}</summary>
      <Table columns={columns}>
        {views.counters.map((one) => (
          <tr><Cell text={one.name} /><Cell text={whole(one.value)} kind="number" /><Cell text={one.unit} /><Cell text={one.meaning} /></tr>
        ))}
      </Table>
    </details>,
  };
}
