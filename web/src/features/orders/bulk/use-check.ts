import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { clientOf } from '../../../api/client.ts'
import type { Problem } from '../../../api/problem.ts'
import type { Panel } from '../../../api/shapes.ts'
import { useRealmHeader } from '../../../app/realm.tsx'
import { fields } from './fields.ts'
import { problemsOf, type RowProblem } from './row-problems.ts'
import { type Row, requestRows } from './rows.ts'

type Quote = Awaited<ReturnType<typeof dryRun>>

export interface Check {
  /** By the index of the row; valid rows are absent. */
  problems: Map<number, RowProblem[]>
  /** Absent until the service has answered, and if no row is valid. */
  quote?: Quote
}

// A check sends thousands of rows, so it waits until the person stops typing.
const SETTLE_MS = 700

async function dryRun(realm: string | undefined, rows: readonly Row[], payment: { paymentMethod?: string }) {
  const { data } = await clientOf(realm).POST('/api/v1/create-order', {
    params: { query: { dryRun: 'true' } },
    body: { bulkUploadData: requestRows(rows), ...payment },
  })
  if (data === undefined || !('kits' in data)) throw new Error('A dry run answers with a price')
  return data
}

/** The problems of each row, found by this page and then by the service, and the price of the rest. Nothing is ordered. */
async function checkRows(
  realm: string | undefined,
  rows: readonly Row[],
  panels: readonly Panel[],
  payment: { paymentMethod?: string },
): Promise<Check> {
  const problems = new Map<number, RowProblem[]>()
  for (const [at, row] of rows.entries()) {
    const found = problemsOf(row, panels)
    if (found.length > 0) problems.set(at, found)
  }
  // The service stops after a number of problems, so the faulty rows are removed and the rest is checked again.
  for (;;) {
    const places = [...rows.keys()].filter((at) => !problems.has(at))
    if (places.length === 0) return { problems }
    const quote = await dryRun(
      realm,
      places.flatMap((at) => rows[at] ?? []),
      payment,
    )
    const faulty = quote.rows?.filter(({ valid }) => !valid) ?? []
    for (const { row, errors } of faulty) {
      const at = places[row]
      if (at !== undefined)
        problems.set(
          at,
          errors.map(({ path, message }) => ({ field: fieldIn(path), message })),
        )
    }
    if (faulty.length === 0) return { problems, quote }
  }
}

const fieldIn = (path: string | undefined) => fields.find(({ name }) => name === path?.split('.').at(-1))?.name

export function useCheck(rows: readonly Row[], panels: readonly Panel[], payment: { paymentMethod?: string }) {
  const realm = useRealmHeader()
  const [settled] = useDebouncedValue(rows, SETTLE_MS)
  const result = useQuery<Check, Problem>({
    queryKey: [realm ?? '', 'bulk-check', settled, payment],
    queryFn: () => checkRows(realm, settled, panels, payment),
    enabled: settled.length > 0,
    placeholderData: (former) => former,
    staleTime: 60_000,
    gcTime: 0,
  })
  return { ...result, isSettled: settled === rows && !result.isFetching }
}
