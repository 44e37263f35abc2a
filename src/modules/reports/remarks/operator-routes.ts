import { z } from 'zod'
import { defineRoute } from '../../../platform/http/route.ts'
import { PassedRemarksPage, RemarksQuery, remarkParams } from './schema.ts'
import { forgetRemark, listRemarks } from './service.ts'

const tag = 'Operator: laboratories'

export const listPassedRemarks = defineRoute({
  audience: 'operator',
  method: 'GET',
  path: '/passed-remarks',
  tag,
  summary: 'List the remarks of laboratories that reviewers let pass',
  description:
    'Sentences that the reader does not know. A result that waits for nothing else is assigned by a reviewer; the same sentence of the same laboratory then holds no result of that biomarker for that business again. Never remembered: what takes a result back or doubts it, questions, sentences with a digit, a title or a name of the person, of fewer than four words, or longer than 200 characters.',
  scope: 'lab',
  query: RemarksQuery,
  answers: { 200: PassedRemarksPage },
  handler: async ({ tx, query }) => ({ status: 200, body: await listRemarks(tx, query) }),
})

export const removePassedRemark = defineRoute({
  audience: 'operator',
  method: 'POST',
  path: '/passed-remarks/:remarkID/remove',
  tag,
  summary: 'Forget a remark that a reviewer let pass',
  effects: [],
  description: 'Results beside which it stands wait for a person again. Reports keep what they say.',
  scope: 'lab',
  params: remarkParams,
  answers: { 200: z.object({ id: z.string() }) },
  errors: ['REMARK_NOT_FOUND'],
  handler: async ({ tx, params: { remarkID: id } }) => {
    await forgetRemark(tx, id)
    return { status: 200, body: { id } }
  },
})
