import { readFile } from 'node:fs/promises'
import { withCriticalLimits } from '@kitlane/lab-reader/facts/critical-limits'
import { AppError } from '../../domain/errors.ts'
import type { Queries, SystemTx, Tx } from '../../platform/database/tx.ts'
import { refuse } from '../../platform/http/validate.ts'
import * as audit from '../audit/service.ts'
import { publicKitType } from './kit-type.ts'
import {
  type AgeLimits,
  type HoldRules,
  insertMissingPanels,
  insertPanel,
  insertReferenceData,
  type ListedPanel,
  type NewPanel,
  type PanelPrice,
  type PanelRow,
  type ProvisionedPanel,
  selectKitTypes,
  selectPanel,
  selectPanels,
  selectProvisionedPanels,
  selectUnknownBiomarkers,
  updateAges,
  updateHoldRules,
  upsertProvisionedPanels,
} from './queries.ts'
import { Panels } from './schema.ts'
import { insertReferenceTexts } from './text-queries.ts'
import { CatalogueTexts } from './text-schema.ts'

// What a kit costs by card where the operator set no price.
const DEFAULT_PRICE: PanelPrice = { minor: 19_900, currency: 'USD' }

const readData = async (name: string): Promise<unknown> =>
  JSON.parse(await readFile(new URL(`./data/${name}`, import.meta.url), 'utf8'))

/** Brings in the reference data: what is missing and what a release corrected, but never over what an operator edited. */
export async function seed(tx: SystemTx): Promise<void> {
  const { biomarkers } = await import('@kitlane/lab-reader/facts/biomarkers')
  const panels = Panels.parse(await readData('panels.json'))
  await insertReferenceData(tx, biomarkers.map(withCriticalLimits))
  await insertMissingPanels(tx, panels)
  const texts = CatalogueTexts.parse(await readData('texts.json'))
  await insertReferenceTexts(tx, 'biomarker', texts.biomarkers)
  await insertReferenceTexts(tx, 'panel', texts.panels)
}

export { biomarkers } from './current.ts'

/** Every panel of the catalogue. */
export const panels = (tx: SystemTx): Promise<ListedPanel[]> => selectPanels(tx)

/** The panels that this realm may order, with what one costs by card. */
export const provisioned = (tx: Tx): Promise<ProvisionedPanel[]> => selectProvisionedPanels(tx)

/** A panel, provisioned or not (a kit keeps its panel). @throws PANEL_NOT_FOUND */
export async function findPanel(tx: Queries, kitType: string): Promise<PanelRow> {
  const panel = await selectPanel(tx, kitType)
  if (!panel) throw new AppError('PANEL_NOT_FOUND', 'There is no such panel')
  return panel
}

/** Adds a custom panel. @throws VALIDATION_FAILED when a biomarker is unknown, or the kit type is taken */
export async function createPanel(tx: SystemTx, panel: NewPanel): Promise<void> {
  const unknown = await selectUnknownBiomarkers(tx, panel.biomarkers)
  if (unknown.length > 0) throw new AppError('VALIDATION_FAILED', `Unknown biomarkers: ${unknown.join(', ')}`)
  if (!(await insertPanel(tx, panel))) {
    throw new AppError('VALIDATION_FAILED', `The kit type ${panel.kitType} exists already`)
  }
}

/** Sets whom a panel is for, by age, for kits that are registered from now on. @throws PANEL_NOT_FOUND, VALIDATION_FAILED */
export async function limitAges(
  tx: SystemTx,
  kitType: string,
  change: { minAge?: number | undefined; maxAge?: number | null | undefined },
): Promise<AgeLimits> {
  const panel = (await selectPanels(tx)).find((one) => one.kitType === kitType)
  if (!panel) throw new AppError('PANEL_NOT_FOUND', 'There is no such panel')
  const limits = {
    minAge: change.minAge ?? panel.minAge,
    maxAge: change.maxAge === undefined ? panel.maxAge : change.maxAge,
  }
  if (limits.maxAge !== null && limits.maxAge < limits.minAge) {
    refuse([{ message: 'The oldest cannot be younger than the youngest', path: 'maxAge' }])
  }
  if (limits.minAge === panel.minAge && limits.maxAge === panel.maxAge) return limits
  await updateAges(tx, kitType, limits)
  const details = { minAge: limits.minAge, ...(limits.maxAge !== null && { maxAge: limits.maxAge }) }
  const objectId = publicKitType(kitType)
  await audit.recordSystem(tx, [{ action: 'panel.ages_limited', objectType: 'panel', objectId, details }])
  return limits
}

/** What a sample of a panel needs, as fields. */
export const shownHoldRules = ({ stabilityDays, collectionDateNeeded }: HoldRules) => ({
  ...(stabilityDays !== null && { stabilityDays }),
  collectionDateNeeded,
})

/** Says what samples of a panel need that come from now on. @throws PANEL_NOT_FOUND */
export async function changeHoldRules(
  tx: SystemTx,
  kitType: string,
  change: { stabilityDays?: number | null | undefined; collectionDateNeeded?: boolean | undefined },
): Promise<HoldRules> {
  const known = await findPanel(tx, kitType)
  const { stabilityDays = known.stabilityDays, collectionDateNeeded = known.collectionDateNeeded } = change
  const rules = { stabilityDays, collectionDateNeeded }
  if (known.stabilityDays === stabilityDays && known.collectionDateNeeded === collectionDateNeeded) return rules
  await updateHoldRules(tx, kitType, rules)
  const objectId = publicKitType(kitType)
  await audit.recordSystem(tx, [
    { action: 'panel.hold_rules_changed', objectType: 'panel', objectId, details: shownHoldRules(rules) },
  ])
  return rules
}

/** Lets both realms of a business order panels, at a price in minor units; sets the price of those it has. */
export async function provision(
  tx: SystemTx,
  businessId: string,
  kitTypes: readonly string[] | 'all',
  price: Partial<PanelPrice> = {},
): Promise<string[]> {
  const all = await selectKitTypes(tx)
  const wanted = kitTypes === 'all' ? all : [...kitTypes]
  const unknown = wanted.filter((kitType) => !all.includes(kitType))
  if (unknown.length > 0) throw new AppError('PANEL_NOT_FOUND', `There is no panel ${unknown.join(', ')}`)
  const { minor = DEFAULT_PRICE.minor, currency = DEFAULT_PRICE.currency } = price
  await upsertProvisionedPanels(tx, businessId, wanted, { price: { minor, currency }, change: price })
  return wanted
}
