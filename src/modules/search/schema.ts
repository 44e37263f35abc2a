import { z } from 'zod'

export const Found = z
  .object({
    kind: z.enum(['order', 'kit', 'customer', 'report']),
    id: z.string(),
    title: z.string(),
    subtitle: z.string(),
  })
  .meta({ id: 'SearchResult' })
export type Found = z.infer<typeof Found>
