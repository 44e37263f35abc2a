import { readFile } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import { withCriticalLimits } from '@kitlane/lab-reader/facts/critical-limits'
import { alsoCapillary } from '@kitlane/lab-reader/facts/specimens'
import { AppError } from '../../domain/errors.ts'
import type { Queries, SystemTx, Tx } from '../../platform/database/tx.ts'
import { refuse } from '../../platform/http/validate.ts'
import * as audit from '../audit/service.ts'
import type { PanelRules, PersonLimits } from './eligibility.ts'
import { publicKitType } from './kit-type.ts'
import * as queries from './queries.ts'
import { type Biomarker, Panels } from './schema.ts'
import { insertReferenceTexts } from './text-queries.ts'
import { CatalogueTexts } from './text-schema.ts'

// What a kit costs by card where the operator set no price.
const DEFAULT_PRICE: queries.PanelPrice = { minor: 19_900, currency: 'USD' }

const readData = async (name: string): Promise<unknown> =>
  JSON.parse(await readFile(new URL(`./data/${name}`, import.meta.url), 'utf8'))

/** Brings in the reference data: what is missing and what a release corrected, but never over what an operator edited. */
export async function seed(tx: SystemTx): Promise<void> {
  const { biomarkers } = await import('@kitlane/lab-reader/facts/biomarkers')
  const panels = Panels.parse(await readData('panels.json'))
  await queries.insertReferenceData(tx, biomarkers.map(withCriticalLimits))
  await queries.insertMissingPanels(tx, panels)
  const texts = CatalogueTexts.parse(await readData('texts.json'))
  await insertReferenceTexts(tx, 'biomarker', texts.biomarkers)
  await insertReferenceTexts(tx, 'panel', texts.panels)
}

/** Every panel of the catalogue. */
export const panels = (tx: SystemTx): Promise<queries.ListedPanel[]> => queries.selectPanels(tx)

/** The panels that this realm may order, with what one costs by card. */
export const provisioned = (tx: Tx): Promise<queries.ProvisionedPanel[]> => queries.selectProvisionedPanels(tx)

/** A panel, provisioned or not (a kit keeps its panel). @throws PANEL_NOT_FOUND */
export async function findPanel(tx: Queries, kitType: string): Promise<queries.PanelRow> {
  const panel = await queries.selectPanel(tx, kitType)
  if (!panel) throw new AppError('PANEL_NOT_FOUND', 'There is no such panel')
  return panel
}

/** Adds a custom panel. @throws VALIDATION_FAILED when a biomarker is unknown, or the kit type is taken */
export async function createPanel(tx: SystemTx, panel: queries.NewPanel): Promise<void> {
  const unknown = await queries.selectUnknownBiomarkers(tx, panel.biomarkers)
  if (unknown.length > 0) throw new AppError('VALIDATION_FAILED', `Unknown biomarkers: ${unknown.join(', ')}`)
  if (!(await queries.insertPanel(tx, panel))) {
    throw new AppError('VALIDATION_FAILED', `The kit type ${panel.kitType} exists already`)
  }
}

/** Whom a panel is for, as fields. */
export const shownPeople = ({ minAge, maxAge, sex }: PersonLimits) => ({
  ...(sex && { sex }),
  minAge,
  ...(maxAge !== null && { maxAge }),
})

const shownHoldRules = ({ stabilityDays, collectionDateNeeded }: queries.PanelTerms) => ({
  ...(stabilityDays !== null && { stabilityDays }),
  collectionDateNeeded,
})

const shownQuestions = ({ questions }: queries.PanelTerms) => (questions.length > 0 ? { questions } : {})

/** Where and how many of a panel may be ordered, as fields. */
export const shownOrderLimits = ({
  offeredIn,
  notOfferedIn,
  maxPerOrder,
  providerNeeded,
}: Omit<PanelRules, keyof PersonLimits>) => ({
  ...(offeredIn && { offeredIn: [...offeredIn] }),
  ...(notOfferedIn.length > 0 && { notOfferedIn: [...notOfferedIn] }),
  ...(maxPerOrder !== null && { maxPerOrder }),
  ...(providerNeeded && { providerNeeded }),
})

/** The terms of a panel, as fields. */
export const shownTerms = (terms: queries.PanelTerms) => ({
  ...shownPeople(terms),
  ...shownHoldRules(terms),
  ...shownOrderLimits(terms),
  ...shownQuestions(terms),
})

const partsOfTerms = [
  ['panel.ages_limited', shownPeople],
  ['panel.hold_rules_changed', shownHoldRules],
  ['panel.orders_limited', shownOrderLimits],
  ['panel.questions_changed', shownQuestions],
] as const

/**
 * Changes whom a panel is for, where it is offered and what its samples need, from now on.
 * @throws PANEL_NOT_FOUND; VALIDATION_FAILED where the oldest is younger than the youngest
 */
export async function changeTerms(
  tx: SystemTx,
  kitType: string,
  change: { [K in keyof queries.PanelTerms]?: queries.PanelTerms[K] | undefined },
): Promise<queries.PanelTerms> {
  const known = await findPanel(tx, kitType)
  const sent = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
  const terms: queries.PanelTerms = { ...known, ...sent }
  if (terms.maxAge !== null && terms.maxAge < terms.minAge) {
    refuse([{ message: 'The oldest cannot be younger than the youngest', path: 'maxAge' }])
  }
  const changes = partsOfTerms.flatMap(([action, shown]) =>
    isDeepStrictEqual(shown(terms), shown(known)) ? [] : [{ action, details: shown(terms) }],
  )
  if (changes.length === 0) return terms
  await queries.updateTerms(tx, kitType, terms)
  const object = { objectType: 'panel', objectId: publicKitType(kitType) }
  await audit.recordSystem(
    tx,
    changes.map((entry) => ({ ...entry, ...object })),
  )
  return terms
}

/** Lets both realms of a business order panels, at a price in minor units; sets the price of those it has. */
export async function provision(
  tx: SystemTx,
  businessId: string,
  kitTypes: readonly string[] | 'all',
  price: Partial<queries.PanelPrice> = {},
): Promise<string[]> {
  const all = await queries.selectKitTypes(tx)
  const wanted = kitTypes === 'all' ? all : [...kitTypes]
  const unknown = wanted.filter((kitType) => !all.includes(kitType))
  if (unknown.length > 0) throw new AppError('PANEL_NOT_FOUND', `There is no panel ${unknown.join(', ')}`)
  const { minor = DEFAULT_PRICE.minor, currency = DEFAULT_PRICE.currency } = price
  await queries.upsertProvisionedPanels(tx, businessId, wanted, { price: { minor, currency }, change: price })
  return wanted
}

/**
 * The catalogue as this process read it last. It holds 700 definitions, 500 kB, which each message of a laboratory needs,
 * with indexes of their names that hang on the list.
 */
let known: { stamp: string; capillary: boolean; list: readonly Biomarker[] } | undefined

/** The current definition of every biomarker, by category and label. */
export async function biomarkers(tx: Queries): Promise<readonly Biomarker[]> {
  const stamp = await queries.selectStamp(tx)
  const { capillaryAsBlood: capillary } = tx.context.settings
  if (known?.stamp !== stamp || known.capillary !== capillary) {
    const list = await queries.selectBiomarkers(tx)
    known = { stamp, capillary, list: capillary ? list.map(alsoCapillary) : list }
  }
  return known.list
}
