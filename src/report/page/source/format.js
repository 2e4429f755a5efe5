// Figures as text.
import { format } from 'd3-format';

export const whole = format(',.0f');
const three = format('.3s');

export const percent = (share, digits = 1) => (100 * share).toFixed(digits) + ' %';

// Three digits with the unit's prefix: 1.25 GB/s.
export function scaled(value, unit) {
  const text = three(value);
  const prefix = /[a-zA-Zµ]$/.test(text) ? text.slice(-1) : '';
  return (prefix ? text.slice(0, -1) : text) + ' ' + prefix.replace('µ', 'u') + unit.replace('bytes', 'B');
}

export const duration = (ns) => (ns === 0 ? '0 s' : scaled(ns * 1e-9, 's'));

export function size(bytes) {
  if (bytes >= 2 ** 30) return +(bytes / 2 ** 30).toFixed(1) + ' GiB';
  if (bytes >= 2 ** 20) return +(bytes / 2 ** 20).toFixed(1) + ' MiB';
  return bytes >= 1024 ? +(bytes / 1024).toFixed(1) + ' KiB' : bytes + ' B';
}

export const colours = ['#4c8fdc', '#e0843d', '#56a769', '#c9544f', '#8f74c4', '#8a6a5c', '#d27fbb', '#7f8790',
                        '#b8b53e', '#3fb3c4', '#6f7fe0', '#b0a08c', '#dd5f8f'];
export const colour = (index) => colours[index % colours.length];
