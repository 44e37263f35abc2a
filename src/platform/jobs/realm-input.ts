import { z } from 'zod'

/** The realm that a job works for, as part of its input. */
export const realmInput = z.object({ id: z.int(), businessId: z.string(), mode: z.enum(['live', 'sandbox']) })
