// Figures of benches that run apart from the others. A bench that has not run leaves its rows out.
import { readFile } from 'node:fs/promises'
import type { FirstMinute } from '../suite/first-minute.ts'
import type { Row } from './rows.ts'

// Each of these brings its rows, ready for the table, as `rows`.
const READY = ['fairness.json', 'overload.json', 'half-load.json', 'peers.json']

export async function apartRows(): Promise<Row[]> {
  const rows: Row[] = []
  for (const postgres of ['15', '18']) {
    const found = await read<{ results: FirstMinute[] }>(`first-minute-${postgres}.json`)
    for (const { businesses, start, first, steady, ratio } of found?.results ?? []) {
      const who = businesses === 1 ? 'one business' : `${businesses} businesses`
      const measure = `first minute of a new database (PostgreSQL ${postgres}, ${start}), ${who}, orders per second`
      const baseline = `steady state: ${Math.round(steady.rate)}, p99 ${Math.round(steady.p99)} ms`
      const ours = `${Math.round(first.rate)}, p99 ${Math.round(first.p99)} ms (ratio ${ratio.toFixed(2)})`
      rows.push([measure, ours, baseline])
    }
  }
  for (const name of READY) rows.push(...((await read<{ rows?: Row[] }>(name))?.rows ?? []))
  return rows
}

async function read<T>(name: string): Promise<T | undefined> {
  try {
    return JSON.parse(await readFile(new URL(`../${name}`, import.meta.url), 'utf8')) as T
  } catch (err) {
    if (err instanceof Error && 'code' in err && err.code === 'ENOENT') return undefined
    throw err
  }
}
