// What the page of one launch draws: the launch's own data, or what an application's page has of it.

// The lines of a JSON report as the page's listing shows them.
function listingOf(lines) {
  const served = (one) => {
    const levels = Object.entries(one.served || {}), all = levels.reduce((sum, level) => sum + level[1], 0);
    return levels.map(([name, count]) => name + ' ' + (100 * count / all).toFixed(0) + ' %').join(', ');
  };
  const row = (one) => ({
    cycles: one.wave_cycles, issued: one.instructions, transactions: one.transactions, ideal: one.ideal_transactions,
    lanes: one.lane_instructions ? one.lane_instructions_active / one.lane_instructions : 0,
    stall: one.main_stall === 'none' ? '' : one.main_stall, served: served(one), text: one.text,
    line: one.line ? String(one.line) : '',
  });
  const shown = [...lines.lines].sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line));
  const below = (line) => (lines.instructions || []).filter((one) => one.file === line.file && one.line === line.line);
  return {
    file: shown.length ? shown[0].file : '', wave_cycles: lines.wave_cycles,
    lines: shown.map((line) => ({ ...row(line), instructions: below(line).map(row) })),
  };
}

export function launchData(launch) {
  const data = { curves: [], heat: [], roofline: null, listing: null, stalls: null, footprint: null, ...launch };
  data.views = data.report.views;
  if (!data.listing && data.views.lines) data.listing = listingOf(data.views.lines);
  return data;
}
