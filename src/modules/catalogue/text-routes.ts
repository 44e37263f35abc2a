import { z } from 'zod'
import { anyText, text, timestamp } from '../../platform/http/fields.ts'
import { defineRoute } from '../../platform/http/route.ts'
import { internalKitType } from './kit-type.ts'
import type { TextVersion } from './text-queries.ts'
import { BiomarkerText, PanelText } from './text-schema.ts'
import { textVersions, writeText } from './texts.ts'

const versionOf = <T extends z.ZodType>(of: T) =>
  z.object({ version: z.int(), reason: z.string(), createdDate: timestamp, text: of })
const BiomarkerTextVersion = versionOf(BiomarkerText).meta({ id: 'BiomarkerTextVersion' })
const PanelTextVersion = versionOf(PanelText).meta({ id: 'PanelTextVersion' })

const shown = <T>({ createdDate, ...one }: TextVersion<T>) => ({ ...one, createdDate: createdDate.toISOString() })
const ofBiomarker = z.object({ biomarkerID: anyText(100) })
const ofPanel = z.object({ kitType: anyText(100) })
const written = <T extends z.ZodType>(of: T) => z.object({ reason: text(500), text: of })

const shared = { audience: 'operator', tag: 'Operator: catalogue', scope: 'catalogue' } as const

export const listBiomarkerTexts = defineRoute({
  ...shared,
  method: 'GET',
  path: '/biomarkers/:biomarkerID/texts',
  summary: 'List the versions of what a person reads about a biomarker',
  description: 'Newest first. Empty: reports show no text beside it.',
  params: ofBiomarker,
  answers: { 200: z.array(BiomarkerTextVersion) },
  errors: ['BIOMARKER_NOT_FOUND'],
  handler: async ({ tx, params: { biomarkerID } }) => ({
    status: 200,
    body: (await textVersions(tx, 'biomarker', biomarkerID)).map(shown),
  }),
})

export const writeBiomarkerText = defineRoute({
  ...shared,
  method: 'POST',
  path: '/biomarkers/:biomarkerID/texts',
  summary: 'Write what a person reads about a biomarker',
  effects: ['publishes'],
  description:
    'Makes a new version with a reason. Reports that are there keep the text that they were judged with. Signed ranges stay signed.',
  params: ofBiomarker,
  body: written(BiomarkerText),
  answers: { 200: BiomarkerTextVersion },
  errors: ['BIOMARKER_NOT_FOUND'],
  handler: async ({ tx, params: { biomarkerID }, body }) => ({
    status: 200,
    body: shown(await writeText(tx, 'biomarker', biomarkerID, body)),
  }),
})

export const listPanelTexts = defineRoute({
  ...shared,
  method: 'GET',
  path: '/panels/:kitType/texts',
  summary: 'List the versions of how the sample of a panel is taken',
  description: 'Newest first. Empty: the pages of the person speak of the leaflet only.',
  params: ofPanel,
  answers: { 200: z.array(PanelTextVersion) },
  errors: ['PANEL_NOT_FOUND'],
  handler: async ({ tx, params: { kitType } }) => ({
    status: 200,
    body: (await textVersions(tx, 'panel', internalKitType(kitType))).map(shown),
  }),
})

export const writePanelText = defineRoute({
  ...shared,
  method: 'POST',
  path: '/panels/:kitType/texts',
  summary: 'Write how the sample of a panel is taken',
  effects: ['publishes'],
  description: 'Makes a new version with a reason. The person reads it until the sample is posted.',
  params: ofPanel,
  body: written(PanelText),
  answers: { 200: PanelTextVersion },
  errors: ['PANEL_NOT_FOUND'],
  handler: async ({ tx, params: { kitType }, body }) => ({
    status: 200,
    body: shown(await writeText(tx, 'panel', internalKitType(kitType), body)),
  }),
})
