import { z } from 'zod'
import { timestamp } from '../../../src/platform/http/fields.ts'
import type { WishRow } from './queries.ts'

export const Wish = z.object({ id: z.string(), text: z.string(), dueDate: timestamp }).meta({ id: 'Wish' })
export const toWish = ({ id, text, dueAt }: WishRow): z.infer<typeof Wish> => ({
  id,
  text,
  dueDate: dueAt.toISOString(),
})
