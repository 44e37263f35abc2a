import { z } from 'zod'
import { anyText, text, timestamp } from '../../platform/http/fields.ts'
import { defineRoute } from '../../platform/http/route.ts'
import { EditableBiomarker, edit, versions } from './edit.ts'
import { publicKitType } from './kit-type.ts'
import type { BiomarkerVersion } from './queries.ts'
import { Biomarker } from './schema.ts'
import { biomarkers, panels } from './service.ts'

const tag = 'Operator: catalogue'

const Version = z
  .object({ version: z.int(), reason: z.string(), createdDate: timestamp, definition: Biomarker })
  .meta({ id: 'BiomarkerVersion' })

const shown = (one: BiomarkerVersion) => ({ ...one, createdDate: one.createdDate.toISOString() })
const params = z.object({ biomarkerID: anyText(100) })

export const listAllBiomarkers = defineRoute({
  audience: 'operator',
  method: 'GET',
  path: '/biomarkers',
  tag,
  summary: 'List biomarkers',
  description: 'Their current definitions.',
  scope: 'catalogue',
  answers: { 200: z.array(Biomarker) },
  handler: async ({ tx }) => ({ status: 200, body: await biomarkers(tx) }),
})

const CataloguePanel = z
  .object({
    kitType: z.string(),
    name: z.string(),
    sex: z.enum(['M', 'F']).optional().describe('Whom it is meant for; absent: everyone.'),
    biomarkers: z.array(z.string()),
    businesses: z.int().describe('How many may order it. Each has a price of its own.'),
  })
  .meta({ id: 'CataloguePanel' })

export const listAllPanels = defineRoute({
  audience: 'operator',
  method: 'GET',
  path: '/panels',
  tag,
  summary: 'List panels',
  scope: 'catalogue',
  answers: { 200: z.array(CataloguePanel) },
  handler: async ({ tx }) => {
    const body = (await panels(tx)).map(({ kitType, sex, ...panel }) => ({
      kitType: publicKitType(kitType),
      ...panel,
      ...(sex && { sex }),
    }))
    return { status: 200, body }
  },
})

export const listBiomarkerVersions = defineRoute({
  audience: 'operator',
  method: 'GET',
  path: '/biomarkers/:biomarkerID/versions',
  tag,
  summary: 'List the versions of a biomarker',
  scope: 'catalogue',
  params,
  answers: { 200: z.array(Version) },
  errors: ['BIOMARKER_NOT_FOUND'],
  handler: async ({ tx, params }) => ({ status: 200, body: (await versions(tx, params.biomarkerID)).map(shown) }),
})

export const editBiomarker = defineRoute({
  audience: 'operator',
  method: 'PATCH',
  path: '/biomarkers/:biomarkerID',
  tag,
  summary: 'Change a biomarker',
  description: 'Makes a new version with a reason. Reports that are there keep the ranges that they were judged by.',
  scope: 'catalogue',
  params,
  body: z.object({ reason: text(500), change: EditableBiomarker }),
  answers: { 200: Version },
  errors: ['BIOMARKER_NOT_FOUND'],
  handler: async ({ tx, params, body }) => ({
    status: 200,
    body: shown(await edit(tx, params.biomarkerID, body.change, body.reason)),
  }),
})
