/** A line that holds no result of this sample, and what says so. */
export interface LeftOut {
  position: string
  because: string
}

const MOST_NAMED = 20

/** The lines that were left out, for those who check a file; none where nothing was. */
export function noteOfLeftOut(lines: readonly LeftOut[]): string[] {
  if (lines.length === 0) return []
  const named = lines.slice(0, MOST_NAMED).map(({ position, because }) => `${position} (${because})`)
  const more = lines.length > MOST_NAMED ? ` and ${lines.length - MOST_NAMED} more` : ''
  return [`Left out, as no results of this sample; look there if one is missing: ${named.join(', ')}${more}`]
}
