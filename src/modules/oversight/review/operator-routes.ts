import { CSV, wantsCsv } from '../../../platform/http/csv.ts'
import { defineRoute } from '../../../platform/http/route.ts'
import { AccessReview, NewSignOff, SignOff, shownReview, shownSignOff } from './schema.ts'
import { accessReview, reviewCsv, signOff } from './service.ts'

const shared = { tag: 'Operator: staff', scope: 'staff' } as const

export const getAccessReview = defineRoute({
  audience: 'operator',
  ...shared,
  method: 'GET',
  path: '/access-review',
  summary: 'List everybody who has access, to review it',
  description:
    'Every user with roles, second factor and last sign-in, and every valid token, of the operator and of all businesses. `Accept: text/csv` gives it as a file.',
  answers: { 200: AccessReview },
  documents: [CSV],
  handler: async ({ tx, accept }) => {
    const review = await accessReview(tx)
    const headers: Record<string, string> = { vary: 'Accept' }
    if (!wantsCsv(accept)) return { status: 200, body: shownReview(review), headers }
    headers['content-disposition'] = 'attachment; filename="access-review.csv"'
    return { status: 200, document: { contentType: `${CSV}; charset=utf-8`, body: reviewCsv(review) }, headers }
  },
})

export const signOffAccessReview = defineRoute({
  audience: 'operator',
  ...shared,
  method: 'POST',
  path: '/access-review/sign-offs',
  summary: 'Confirm that everybody who has access should have it',
  effects: [],
  description: 'With the `sha256` of the list that was read. Who signed off, when, and what was shown, is kept.',
  body: NewSignOff,
  answers: { 201: SignOff },
  errors: ['ACCESS_REVIEW_CHANGED'],
  handler: async ({ tx, body: { sha256, note } }) => ({
    status: 201,
    body: shownSignOff(await signOff(tx, { shown: sha256, note })),
  }),
})
