import { z } from 'zod'
import { AppError } from '../../domain/errors.ts'
import { defineRoute } from '../../platform/http/route.ts'
import { kitParams } from '../kits/schema.ts'
import { boxLabel, findLabel } from './label.ts'

const SVG = 'image/svg+xml'

export const getBoxLabel = defineRoute({
  audience: 'operator',
  method: 'GET',
  path: '/kits/:kitID/label',
  tag: 'Operator: fulfilment',
  summary: 'Get the label of a box, to print',
  description:
    'An image of 89 × 36 mm: the code that leads to the registration of this kit, its ID, and the name of the business. Needs PUBLIC_URL where the service does not listen for itself.',
  scope: 'fulfilment',
  params: kitParams,
  answers: { 200: z.string() },
  documents: [SVG],
  errors: ['KIT_NOT_FOUND'],
  handler: async ({ tx, params }) => {
    const label = await findLabel(tx, params.kitID)
    if (!label) throw new AppError('KIT_NOT_FOUND', 'There is no such kit')
    return { status: 200, document: { contentType: `${SVG}; charset=utf-8`, body: boxLabel(label).text } }
  },
})
