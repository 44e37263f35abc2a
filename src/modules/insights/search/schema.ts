import { z } from 'zod'
import { businessName } from '../../../domain/id-fields.ts'

export const Found = z
  .object({
    kind: z.enum(['order', 'kit', 'customer', 'report']),
    id: z.string(),
    title: z.string(),
    subtitle: z.string(),
  })
  .meta({ id: 'SearchResult' })
export type Found = z.infer<typeof Found>

export const OperatorFound = z
  .object({
    kind: z.enum(['order', 'kit', 'customer']),
    id: z.string(),
    title: z.string(),
    subtitle: z.string(),
    business: businessName,
    kitID: z.string().optional().describe('The kit itself, or the newest one of the order or the person.'),
  })
  .meta({ id: 'OperatorSearchResult' })
export type OperatorFound = z.infer<typeof OperatorFound>
