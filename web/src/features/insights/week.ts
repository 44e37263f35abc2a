import type { Overview } from '../../api/shapes.ts'
import { t } from '../../language/t.ts'

type Day = Overview['days'][number]

export interface WeekRow {
  name: string
  /** Of the last seven days, oldest first. */
  counts: number[]
  total: number
  /** Of the seven days before. */
  before: number
}

/** The last seven days beside the seven before. What did not happen in either is left out. */
export function weekOf(days: readonly Day[]): { dates: string[]; rows: WeekRow[] } {
  const week = days.slice(-7)
  const former = days.slice(-14, -7)
  const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0)
  const row = (name: string, countOf: (day: Day) => number): WeekRow => {
    const counts = week.map(countOf)
    return { name, counts, total: sum(counts), before: sum(former.map(countOf)) }
  }
  const rows = [row(t('Ordered'), ({ orders }) => orders), row(t('Reported'), ({ reports }) => reports ?? 0)]
  return { dates: week.map(({ date }) => date), rows: rows.filter(({ total, before }) => total + before > 0) }
}
