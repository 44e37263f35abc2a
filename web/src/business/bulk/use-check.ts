import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { clientOf } from '../../api/client.ts'
import type { Problem } from '../../api/problem.ts'
import { useRealmHeader } from '../../app/realm.tsx'
import { type Row, requestRows } from './rows.ts'

export type Check = Awaited<ReturnType<typeof check>>

// Thousands of rows go there and back: only when the person has stopped typing.
const SETTLE_MS = 700

async function check(realm: string | undefined, rows: readonly Row[], payment: { paymentMethod?: string }) {
  const { data } = await clientOf(realm).POST('/api/v1/create-order', {
    params: { query: { dryRun: 'true' } },
    body: { bulkUploadData: requestRows(rows), ...payment },
  })
  if (data === undefined || !('kits' in data)) throw new Error('A dry run answers with a price')
  const errors = new Map(data.rows?.filter(({ valid }) => !valid).map((row) => [row.row, row.errors]))
  return { ...data, errors }
}

/** The service's verdict on each row and the price of all, without ordering. */
export function useCheck(rows: readonly Row[], payment: { paymentMethod?: string }) {
  const realm = useRealmHeader()
  const [settled] = useDebouncedValue(rows, SETTLE_MS)
  const result = useQuery<Check, Problem>({
    queryKey: [realm ?? '', 'bulk-check', settled, payment],
    queryFn: () => check(realm, settled, payment),
    enabled: settled.length > 0,
    placeholderData: (former) => former,
    staleTime: 60_000,
    gcTime: 0,
  })
  return { ...result, isSettled: settled === rows && !result.isFetching }
}
