import { sentence } from '@kitlane/display/sentence'
import { AppError } from '../../domain/errors.ts'
import type { ShippingPort } from '../../domain/ports.ts'
import type { ProcessContext } from '../../platform/database/process-context.ts'
import type { SystemTx } from '../../platform/database/tx.ts'
import { refuse } from '../../platform/http/validate.ts'
import * as audit from '../audit/service.ts'
import { internalKitType, publicKitType } from '../catalogue/kit-type.ts'
import { panels } from '../catalogue/service.ts'
import { countThere, forgetUnmatched, saveWarehouse, selectWarehouses, type WarehouseRow } from './queries.ts'
import { type WarehouseService, wordsOf } from './rules.ts'
import type { Reason, Warehouse, WarehouseInput } from './schema.ts'
import { shipbob } from './shipbob.ts'
import { shipstation } from './shipstation.ts'

export const TEST_JOB = 'warehouses.test'

const place = (id: string) => `warehouses.secret/${id}`

/** A warehouse with its key; undefined without one. */
export function serviceOf(
  context: ProcessContext,
  port: ShippingPort,
  { id, secret, definition }: WarehouseRow,
): WarehouseService | undefined {
  if (secret === null) return undefined
  const key = context.open(secret, place(id))
  return definition.provider === 'shipbob' ? shipbob(port, key, definition) : shipstation(port, key, definition)
}

const wordsOfTest = (reason: Reason) => (reason === 'gone' ? NOT_THE_API : wordsOf[reason])
const NOT_THE_API = sentence(
  'The address does not answer as the API of this service does. Ask whoever runs this server.',
)

function shown({ id, isActive, definition, secret, tested, createdAt, changedAt }: WarehouseRow): Warehouse {
  return {
    ...definition,
    products: definition.products.map((product) => ({ ...product, kitType: publicKitType(product.kitType) })),
    warehouseID: id,
    isActive,
    hasSecretKey: secret !== null,
    ...(tested && { tested: { ...tested, ...(tested.reason && { sentence: wordsOfTest(tested.reason) }) } }),
    createdDate: createdAt.toISOString(),
    changedDate: changedAt.toISOString(),
  }
}

/** The warehouses that pack kits for the operator, without their keys. */
export const listWarehouses = async (tx: SystemTx): Promise<Warehouse[]> => (await selectWarehouses(tx)).map(shown)

/** Says which kits a warehouse packs. @throws VALIDATION_FAILED, ILLEGAL_TRANSITION */
export async function connect(
  tx: SystemTx,
  id: string,
  { isActive, secretKey, ...given }: WarehouseInput,
): Promise<Warehouse> {
  const [before] = await selectWarehouses(tx, [id])
  if (before && before.definition.provider !== given.provider)
    refuse([{ message: 'This warehouse is of another service: give the new one another name', path: 'provider' }])
  const isSameAccount =
    before?.definition.channelID === given.channelID && before?.definition.shipFromID === given.shipFromID
  const there = before && !isSameAccount ? await countThere(tx, id) : 0
  if (there > 0)
    throw new AppError(
      'ILLEGAL_TRANSITION',
      sentence(
        'Kits of this account are still open: {count}. Save the other one under another name, and set isActive of this one to false.',
        { count: there },
      ),
    )
  const known = new Set((await panels(tx)).map(({ kitType }) => kitType))
  const products = given.products.map((product) => ({ ...product, kitType: internalKitType(product.kitType) }))
  const unknown = products.findIndex(({ kitType }) => !known.has(kitType))
  if (unknown >= 0) refuse([{ message: 'There is no panel of this kit type', path: `products.${unknown}.kitType` }])
  const secret = secretKey ? tx.context.seal(secretKey, place(id)) : (before?.secret ?? null)
  if (isActive && secret === null) refuse([{ message: 'Give the key of the account', path: 'secretKey' }])
  const warehouse: WarehouseRow = {
    id,
    isActive,
    definition: { ...given, products },
    secret,
    tested: secretKey ? null : (before?.tested ?? null),
    createdAt: before?.createdAt ?? tx.now,
    changedAt: tx.now,
  }
  await saveWarehouse(tx, warehouse)
  await forgetUnmatched(tx)
  const details = { provider: given.provider, isActive }
  await audit.recordSystem(tx, [{ action: 'warehouse.connected', objectType: 'warehouse', objectId: id, details }])
  return shown(warehouse)
}

/** Has a job ask a warehouse something harmless. @throws WAREHOUSE_NOT_FOUND */
export async function requestTest(tx: SystemTx, id: string): Promise<Warehouse> {
  const [warehouse] = await selectWarehouses(tx, [id])
  if (!warehouse?.secret) throw new AppError('WAREHOUSE_NOT_FOUND', 'There is no such warehouse with a key')
  const untested = { ...warehouse, tested: null }
  await saveWarehouse(tx, untested)
  await tx.enqueue(TEST_JOB, { id })
  return shown(untested)
}
