import { Layout } from '@kitlane/lab-reader/parse/layout'
import { AppError } from '../../../domain/errors.ts'
import type { Queries, SystemTx } from '../../../platform/database/tx.ts'
import { refuse } from '../../../platform/http/validate.ts'
import { recordSystem } from '../../audit/service.ts'
import { insertVersion, lockTemplates, selectCounting, selectVersions, switchOffVersions } from './queries.ts'
import type { LayoutVersion } from './schema.ts'

/** Each is compared with every document that comes in. */
const MOST_COUNTING = 200

export async function layoutVersions(tx: SystemTx): Promise<LayoutVersion[]> {
  const rows = await selectVersions(tx)
  return rows.map(({ createdAt, ...row }) => ({ ...row, createdDate: createdAt.toISOString() }))
}

/** The templates that documents are read with. One that a later release does not understand is left out. */
export async function countingLayouts(tx: Queries): Promise<Layout[]> {
  return (await selectCounting(tx)).flatMap((template) => Layout.safeParse(template).data ?? [])
}

/** Adds a template, or the next version of it, which counts from now on. @throws VALIDATION_FAILED: there are too many */
export async function putLayout(tx: SystemTx, layout: Layout): Promise<LayoutVersion> {
  await lockTemplates(tx)
  const version = await insertVersion(tx, layout)
  if ((await selectCounting(tx)).length > MOST_COUNTING)
    refuse([{ message: `At most ${MOST_COUNTING} templates can be on: switch one off`, path: 'name' }])
  const { name, format } = layout
  await recordSystem(tx, [
    { action: 'layout.changed', objectType: 'layout_template', objectId: name, details: { version, format } },
  ])
  return { name, version, isOn: true, counts: true, createdDate: tx.now.toISOString(), template: layout }
}

/** Switches off a version, after which the newest other one that is on counts, or all of them. @throws LAYOUT_NOT_FOUND */
export async function switchOffLayout(tx: SystemTx, name: string, version?: number): Promise<void> {
  await lockTemplates(tx)
  if ((await switchOffVersions(tx, name, version)) === 0)
    throw new AppError('LAYOUT_NOT_FOUND', 'There is no such layout template')
  await recordSystem(tx, [
    {
      action: 'layout.switched_off',
      objectType: 'layout_template',
      objectId: name,
      details: version === undefined ? {} : { version },
    },
  ])
}
