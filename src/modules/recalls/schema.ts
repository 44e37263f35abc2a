import { z } from 'zod'
import { businessName, kitId } from '../../domain/id-fields.ts'
import { anyOf, commaParameter, isTrue, line, Pagination, paging, text, timestamp } from '../../platform/http/fields.ts'
import { actions, deeds, grades, kinds, recallStates, stages } from './decision.ts'

const kind = z
  .enum(kinds)
  .describe('A lot of a component, a lot of kits, or what a laboratory measured with: a run, or a lot of a reagent.')
const subject = line(100).describe(
  'Of what: the component; the GTIN or kit type; the laboratory of a run; the reagent, which may be left out.',
)
const lot = line(60).describe('The number of the lot or of the run.')
const stage = z.enum(stages)

const grade = z.enum(grades).describe('I is the worst.')
const subjectText = z.string().describe('Of what.')
const lotText = z.string().describe('Its number.')
const reason = z.string().describe('What the operator says.')

const isUnnamed = z
  .literal(true)
  .optional()
  .describe('No result names this run or reagent yet. Is it written right? Those that come are held.')

const selector = { kind, subject: subject.optional(), lot }
const chosenActions = z
  .array(z.enum(actions))
  .min(1)
  .max(actions.length)
  .describe(
    'stopUse: a kit without a sample is not registered any more. rejectSamples: also those that arrive. holdReports: nothing is published. markResults: published ones say it. replace: a free kit for these. retest: one for those with results, too. tell: e-mails.',
  )

export const RecallInput = z
  .object({
    ...selector,
    grade: grade.optional(),
    reason: text(300).describe('For businesses, never about a person.'),
    actions: chosenActions
      .optional()
      .describe('Default: all but `retest`; of a run or reagent `holdReports`, `markResults` and `tell`.'),
  })
  .refine(({ kind, subject }) => subject || kind === 'reagentLot', { path: ['subject'], message: 'Say of what' })
export type RecallInput = z.infer<typeof RecallInput>

export const PreviewQuery = z
  .object({ ...selector })
  .refine(({ kind, subject }) => subject || kind === 'reagentLot', { path: ['subject'], message: 'Say of what' })

const StageCount = z.object({ stage, kits: z.int() })

export const Preview = z
  .object({
    kits: z.int().describe('That hold the lot, or were measured with it.'),
    isUnnamed,
    businesses: z.int(),
    stages: z.array(StageCount).describe('Where they are.'),
    boxesInStock: z.int().describe('Sealed boxes of it that are on no kit: they are set apart.'),
    recallID: z.string().optional().describe('It is recalled already.'),
  })
  .meta({ id: 'RecallPreview' })

export const Recall = z
  .object({
    id: z.string(),
    kind,
    subject: subjectText,
    lot: lotText,
    grade: grade.optional(),
    reason,
    actions: chosenActions,
    state: z.enum(recallStates).describe('running: some of its kits are still due. closed: no further kit is added.'),
    by: z.string(),
    createdDate: timestamp,
    finishedDate: timestamp.optional(),
    closedDate: timestamp.optional(),
    kits: z.int(),
    isUnnamed,
    due: z.int().describe('Of them, those with which something is still to be done. They are stopped already.'),
    told: z.int().describe('Kits whose person was written to.'),
    replaced: z.int().describe('Kits in whose place another was sent.'),
    released: z.int().describe('Kits that were released.'),
    underWay: z
      .int()
      .optional()
      .describe('Of `replaced`, free kits that are not there yet. A release or the end cancels none. Absent in lists.'),
    releasedUnderWay: z.int().optional().describe('Of these, in place of released kits. Absent in lists.'),
    stages: z.array(StageCount).describe('Of those that are not due any more.'),
  })
  .meta({ id: 'Recall' })
export type Recall = z.infer<typeof Recall>

export const RecallPage = z.object({ data: z.array(Recall), pagination: Pagination })
export const RecallQuery = z.object({ ...paging(50, 250), state: anyOf(recallStates) })
export const recallParam = z.object({ recallID: text(64).describe('The ID of a recall.') })

/** A kit of a recall, as its business sees it and hears of it. */
export const RecalledKit = z
  .object({
    kitID: z.string(),
    orderID: z.string(),
    recallID: z.string().describe('The recall.'),
    grade: grade.optional(),
    reason,
    stage: stage.optional().describe('settled: canceled, or rejected before.'),
    done: z.array(z.enum(deeds)).describe('told: its person got an e-mail.'),
    recalledDate: timestamp,
    replacedBy: z.string().optional(),
    released: z.literal(true).optional().describe('It was found to be right.'),
  })
  .meta({ id: 'RecalledKit' })
export type RecalledKit = z.infer<typeof RecalledKit>

export const RecalledKitOfAll = RecalledKit.extend({
  business: businessName,
  due: z.boolean().describe('Something is still to be done.'),
}).meta({ id: 'RecalledKitOfAll' })
export type RecalledKitOfAll = z.infer<typeof RecalledKitOfAll>

const isTold = isTrue.optional().describe('Its person was written to.')

export const RecalledKitQuery = z.object({
  ...paging(50, 250),
  isTold: isTrue.optional().describe('false: nobody wrote to its person, and somebody has to.'),
  kitID: commaParameter(50).pipe(z.array(kitId)).optional().describe('Of these kits, by comma.'),
})
export const RecalledKitPage = z.object({ data: z.array(RecalledKit), pagination: Pagination })

export const RecalledKitOfAllPage = z.object({ data: z.array(RecalledKitOfAll), pagination: Pagination })
export const RecalledKitOfAllQuery = z.object({ ...paging(50, 250), stage: anyOf(stages), isTold })

export const ReleaseInput = z.object({
  kitIDs: z.array(kitId).min(1).max(1000).describe('Kits of the recall.'),
  reason: text(300).describe('For the audit.'),
})

const TracedLot = z.object({ kind: z.enum(kinds), subject: subjectText, lot: lotText })

export const KitLots = z
  .object({
    kitID: z.string(),
    lots: z
      .array(TracedLot.extend({ results: z.array(z.string()).optional().describe('Measured with it.') }))
      .describe('What it is made of, and what its sample was measured with.'),
    recalls: z.array(RecalledKit).describe('That have it.'),
  })
  .meta({ id: 'KitLots' })

export const LotTrace = z
  .object({
    lots: z
      .array(
        TracedLot.extend({
          kits: z.int(),
          boxesInStock: z.int().describe('Sealed boxes of it that are on no kit.'),
          builtInto: z
            .array(z.object({ product: z.string().describe('GTIN or kit type.'), lot: lotText }))
            .describe('Lots of kits that it is in.'),
        }),
      )
      .describe('What has this number.'),
    data: z
      .array(
        z.object({
          kitID: z.string(),
          business: businessName,
          stage,
          customerID: z.int().optional().describe('Who is registered.'),
          kind: z.enum(kinds),
        }),
      )
      .describe('The kits, a page of them.'),
    pagination: Pagination,
  })
  .meta({ id: 'LotTrace' })
export const TraceQuery = z.object(paging(50, 250))
export const lotParam = z.object({ lot })
export const kitParam = z.object({ kitID: kitId })
