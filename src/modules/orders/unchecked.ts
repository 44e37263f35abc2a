import type { ErrorDetail } from '../../domain/errors.ts'
import type { Tx } from '../../platform/database/tx.ts'
import { MAX_PROBLEMS } from '../../platform/http/check.ts'
import { isRecord } from '../../platform/http/lenient.ts'
import { internalKitType } from '../catalogue/kit-type.ts'
import { priceBook } from '../catalogue/prices.ts'
import { unprovisioned } from './decision.ts'
import { flattenRow } from './schema.ts'

/** The kit types of a body with mistakes in it that the business may not order. */
export async function unprovisionedIn(tx: Tx, body: Record<string, unknown>): Promise<ErrorDetail[]> {
  const requested = kitTypesIn(body)
  if (requested.length === 0) return []
  const prices = await priceBook(tx)
  const unknown = requested.filter(({ kitTypes }) => !kitTypes.every((kitType) => prices.has(internalKitType(kitType))))
  return unknown.slice(0, MAX_PROBLEMS).map(({ path }) => unprovisioned(path))
}

interface RequestedKitTypes {
  path: string
  kitTypes: string[]
}

/** What can be read of the kit types, whatever else is wrong: of `kit_types`, of rows, and of the legacy payload. */
function kitTypesIn({ kit_types, bulkUploadData, kitType }: Record<string, unknown>): RequestedKitTypes[] {
  const listOf = (value: unknown) => (isRecord(value) ? [value] : Array.isArray(value) ? value : [])
  const typesOf = (lines: unknown[]) =>
    lines.flatMap((line) => (isRecord(line) ? textOf(line.kitType ?? line.kit_type) : []))
  const rows = listOf(bulkUploadData).map((row, i) => {
    const flat = flattenRow(row)
    return { path: `bulkUploadData.${i}.kit_type`, kitTypes: isRecord(flat) ? textOf(flat.kit_type) : [] }
  })
  return [
    { path: 'kit_types', kitTypes: typesOf(listOf(kit_types)) },
    { path: 'kitType', kitTypes: textOf(kitType) },
    ...rows,
  ].filter(({ kitTypes }) => kitTypes.length > 0)
}

const textOf = (value: unknown): string[] => (typeof value === 'string' && value.trim() ? [value.trim()] : [])
