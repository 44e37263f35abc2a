import type { FirstMinute } from './first-minute.ts'
import type { measureLists } from './lists.ts'
import type { measurePlacement } from './placement.ts'
import type { Reading } from './reading.ts'
import type { Starting } from './starting.ts'

/** What a run writes. A part that was left out or failed is missing. */
export type Results = Partial<Awaited<ReturnType<typeof measurePlacement>>> & {
  starting?: Starting | undefined
  firstMinute?: FirstMinute[] | undefined
  reading?: Reading | undefined
  lists?: Awaited<ReturnType<typeof measureLists>> | undefined
}
