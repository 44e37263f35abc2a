import { z } from 'zod'
import { anyText, text, timestamp } from '../../platform/http/fields.ts'
import { defineRoute } from '../../platform/http/route.ts'
import { EditableBiomarker, edit, versions } from './edit.ts'
import { regionCode } from './eligibility.ts'
import { internalKitType, publicKitType } from './kit-type.ts'
import { promise, promisedOf, promises } from './promises.ts'
import type { BiomarkerVersion } from './queries.ts'
import { PanelQuestions } from './question-schema.ts'
import { Biomarker, orderLimits, people, promised, sampleRules } from './schema.ts'
import { biomarkers, changeTerms, panels, shownTerms } from './service.ts'
import { sign } from './signatures.ts'

const Version = z
  .object({
    version: z.int(),
    reason: z.string(),
    createdDate: timestamp,
    definition: Biomarker,
    signature: z
      .object({ laboratory: z.string(), director: z.string(), signedDate: timestamp })
      .optional()
      .describe('The laboratory director who signed its ranges; absent: nobody.'),
  })
  .meta({ id: 'BiomarkerVersion' })

const shown = ({ signature, createdDate, ...one }: BiomarkerVersion) => ({
  ...one,
  createdDate: createdDate.toISOString(),
  ...(signature && { signature }),
})
const params = z.object({ biomarkerID: anyText(100) })

const shared = { audience: 'operator', tag: 'Operator: catalogue', scope: 'catalogue' } as const

export const listAllBiomarkers = defineRoute({
  ...shared,
  method: 'GET',
  path: '/biomarkers',
  summary: 'List biomarkers',
  description: 'Their current definitions.',
  answers: { 200: z.array(Biomarker) },
  handler: async ({ tx }) => ({ status: 200, body: [...(await biomarkers(tx))] }),
})

const CataloguePanel = z
  .object({
    kitType: z.string(),
    name: z.string(),
    ...people,
    ...promised,
    ...sampleRules,
    ...orderLimits,
    biomarkers: z.array(z.string()),
    businesses: z.int().describe('How many may order it. Each has a price of its own.'),
  })
  .meta({ id: 'CataloguePanel' })

export const listAllPanels = defineRoute({
  ...shared,
  method: 'GET',
  path: '/panels',
  summary: 'List panels',
  answers: { 200: z.array(CataloguePanel) },
  handler: async ({ tx }) => {
    const days = await promises(tx)
    const body = (await panels(tx)).map(({ kitType, name, biomarkers, businesses, ...terms }) => ({
      kitType: publicKitType(kitType),
      name,
      ...shownTerms(terms),
      ...promisedOf(days, kitType),
      biomarkers,
      businesses,
    }))
    return { status: 200, body }
  },
})

const regions = z
  .array(
    anyText(6)
      .overwrite((code) => regionCode(code) ?? code)
      .refine(
        (code) => regionCode(code) !== undefined,
        'must be a country such as US, or a region of US, CA, AU, BR or IN, such as US-NY',
      ),
  )
  .max(300)

/** A field that null takes back to what a new panel has. */
const orUnset = <T extends z.ZodType>(schema: T, unset: z.output<T>) =>
  schema
    .nullable()
    .transform((value) => value ?? unset)
    .optional()

const MAX_AGE = 130
const MAX_DAYS = 90

export const changePanel = defineRoute({
  ...shared,
  method: 'PATCH',
  path: '/panels/:kitType',
  summary: 'Say for whom a panel is, where it is offered, when its reports are promised, and what its samples need',
  effects: [],
  description:
    'Ages and sex count for kits that are registered from now on, `offeredIn`, `notOfferedIn`, `maxPerOrder` and `providerNeeded` for orders and addresses from now on, a promise for samples that come from now on, of every business. Only what is sent is changed; null unsets. A parent or guardian registers a person under 18.',
  params: z.object({ kitType: anyText(100) }),
  body: z.object({
    minAge: z.int().min(0).max(MAX_AGE).optional().describe('Has no null: it stays.'),
    maxAge: z.int().min(0).max(MAX_AGE).nullable().optional().describe('null: no limit.'),
    sex: z.enum(['M', 'F']).nullable().optional().describe('null: everyone.'),
    promisedDays: z.int().min(1).max(MAX_DAYS).nullable().optional().describe('null: nothing is promised any more.'),
    stabilityDays: z.int().min(1).max(365).nullable().optional().describe('null: nobody knows it, and 7 are assumed.'),
    questions: orUnset(PanelQuestions, []).describe('What a person is asked of their sample, in this order.'),
    collectionDateNeeded: orUnset(z.boolean(), false).describe('Whether a sample without its day is put on hold.'),
    offeredIn: regions.min(1).nullable().optional().describe('ISO 3166, such as `US` and `US-NY`; null: everywhere.'),
    notOfferedIn: orUnset(regions, []).describe('The same; wins over `offeredIn`. null: nowhere.'),
    maxPerOrder: z.int().min(1).max(1000).nullable().optional().describe('null: no limit.'),
    providerNeeded: orUnset(z.boolean(), false).describe('Whether a provider approves each order from now on.'),
  }),
  answers: {
    200: z
      .object({ kitType: z.string(), ...people, ...promised, ...sampleRules, ...orderLimits })
      .meta({ id: 'PanelTerms' }),
  },
  errors: ['PANEL_NOT_FOUND'],
  handler: async ({ tx, params, body }) => {
    const kitType = internalKitType(params.kitType)
    const { promisedDays, ...change } = body
    const terms = await changeTerms(tx, kitType, change)
    if (promisedDays !== undefined) await promise(tx, kitType, promisedDays)
    return {
      status: 200,
      body: { kitType: publicKitType(kitType), ...shownTerms(terms), ...promisedOf(await promises(tx), kitType) },
    }
  },
})

export const listBiomarkerVersions = defineRoute({
  ...shared,
  method: 'GET',
  path: '/biomarkers/:biomarkerID/versions',
  summary: 'List the versions of a biomarker',
  params,
  answers: { 200: z.array(Version) },
  errors: ['BIOMARKER_NOT_FOUND'],
  handler: async ({ tx, params }) => ({ status: 200, body: (await versions(tx, params.biomarkerID)).map(shown) }),
})

export const editBiomarker = defineRoute({
  ...shared,
  method: 'PATCH',
  path: '/biomarkers/:biomarkerID',
  summary: 'Change a biomarker',
  effects: [],
  description: 'Makes a new version with a reason. Reports that are there keep the ranges that they were judged by.',
  params,
  body: z.object({ reason: text(500), change: EditableBiomarker }),
  answers: { 200: Version },
  errors: ['BIOMARKER_NOT_FOUND'],
  handler: async ({ tx, params, body }) => ({
    status: 200,
    body: shown(await edit(tx, params.biomarkerID, body.change, body.reason)),
  }),
})

export const signRanges = defineRoute({
  ...shared,
  method: 'POST',
  path: '/range-signatures',
  summary: 'Sign ranges',
  effects: [],
  description:
    'A laboratory director signs the current ranges, factors and critical limits of biomarkers. What is signed already stays as it is; a later version has to be signed again.',
  body: z.object({
    laboratory: text(200).describe('Which laboratory.'),
    director: text(200).describe('The director who signs, by name.'),
    biomarkers: z.array(anyText(100)).min(1).max(2000).optional().describe('Their IDs; absent: all.'),
  }),
  answers: {
    200: z.object({ signed: z.int().describe('How many versions were signed now.') }).meta({ id: 'RangesSigned' }),
  },
  errors: ['BIOMARKER_NOT_FOUND'],
  handler: async ({ tx, body: { laboratory, director, biomarkers } }) => ({
    status: 200,
    body: { signed: await sign(tx, { laboratory, director }, biomarkers ?? 'all') },
  }),
})
