const MIB = 1024 * 1024

export function bytesText(bytes: number): string {
  const [value, unit] = bytes >= 1024 * MIB ? [bytes / (1024 * MIB), 'GB'] : [bytes / MIB, 'MB']
  return `${value.toLocaleString('en', { maximumFractionDigits: 1 })} ${unit}`
}

/** "3 days", "2 hours", "5 minutes". */
export function durationText(seconds: number): string {
  const units = [
    ['day', 86_400],
    ['hour', 3600],
    ['minute', 60],
  ] as const
  const [unit, length] = units.find(([, size]) => seconds >= size) ?? ['second', 1]
  const count = Math.floor(seconds / length)
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
