import { AppError } from '../../domain/errors.ts'
import { newOpaqueId } from '../../domain/ids.ts'
import type { SystemTx } from '../../platform/database/tx.ts'
import { refuse } from '../../platform/http/validate.ts'
import * as audit from '../audit/service.ts'
import { deleteProvider, type ProviderRow, selectProvider, selectProviders, upsertProvider } from './queries.ts'
import type { Provider, ProviderChange, ProviderInput } from './schema.ts'

const shown = ({ createdAt, changedAt, ...row }: ProviderRow): Provider => ({
  ...row,
  createdDate: createdAt.toISOString(),
  changedDate: changedAt.toISOString(),
})

export const list = async (tx: SystemTx): Promise<Provider[]> => (await selectProviders(tx)).map(shown)

/** @throws PROVIDER_NOT_FOUND */
export async function findProvider(tx: SystemTx, idOrNpi: string): Promise<ProviderRow> {
  const found = await selectProvider(tx, idOrNpi)
  if (!found) throw new AppError('PROVIDER_NOT_FOUND', 'There is no such provider')
  return found
}

/** @throws VALIDATION_FAILED for the NPI or the e-mail of another provider */
export function add(tx: SystemTx, input: ProviderInput): Promise<Provider> {
  return save(tx, 'provider.added', { ...input, id: newOpaqueId('prv'), createdAt: tx.now, changedAt: tx.now })
}

/** Changes a provider from now on. What they approved stays as it is. @throws PROVIDER_NOT_FOUND; VALIDATION_FAILED as `add` */
export async function change(tx: SystemTx, id: string, changes: ProviderChange): Promise<Provider> {
  const sent = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
  return save(tx, 'provider.changed', { ...(await findProvider(tx, id)), ...sent, changedAt: tx.now })
}

async function save(tx: SystemTx, action: string, row: ProviderRow): Promise<Provider> {
  const taken = await upsertProvider(tx, row)
  if (taken) refuse([{ message: 'Another provider has it', path: taken }])
  const { id, npi, email, licensedIn, isActive } = row
  await audit.recordSystem(tx, [
    {
      action,
      objectType: 'provider',
      objectId: id,
      details: { npi, email, licensedIn: licensedIn.join(' '), isActive },
    },
  ])
  return shown(row)
}

/** @throws PROVIDER_NOT_FOUND */
export async function remove(tx: SystemTx, id: string): Promise<void> {
  const { npi, id: own } = await findProvider(tx, id)
  await deleteProvider(tx, own)
  await audit.recordSystem(tx, [
    { action: 'provider.removed', objectType: 'provider', objectId: own, details: { npi } },
  ])
}
