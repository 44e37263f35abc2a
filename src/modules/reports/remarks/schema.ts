import { z } from 'zod'
import { businessName } from '../../../domain/id-fields.ts'
import { Pagination, paging, text, timestamp } from '../../../platform/http/fields.ts'

export const PassedRemark = z
  .object({
    id: z.string(),
    laboratory: z.string().describe('Who wrote it: the sender, and where the value was measured.'),
    biomarker: z.string().describe('Beside which it passes, by its catalogue ID.'),
    sentence: z.string().describe('The words that pass.'),
    passedBy: z.string().describe('Who let it pass, named as in the audit.'),
    passedDate: timestamp,
    business: businessName,
    mode: z.enum(['live', 'sandbox']),
  })
  .meta({ id: 'PassedRemark' })
export type PassedRemark = z.infer<typeof PassedRemark>

export const RemarksQuery = z.object({ ...paging(50, 250), mode: z.enum(['live', 'sandbox']).default('live') })
export type RemarksFilter = z.infer<typeof RemarksQuery>
export const PassedRemarksPage = z
  .object({ data: z.array(PassedRemark), pagination: Pagination })
  .meta({ id: 'PassedRemarksPage' })
export const remarkParams = z.object({ remarkID: text(64).describe('The ID of a remark that passes.') })
