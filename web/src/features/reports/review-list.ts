import type { components } from '@kitlane/client'

export type Review = components['schemas']['ReportInReview']

/** More than a reviewer reads in a day. */
export const REVIEWS = { params: { query: { page: 0, size: 250 } } }

// The business is its name alone, or with its ID.
export const nameOfBusiness = ({ business }: { business: string | { name: string } }): string =>
  typeof business === 'string' ? business : business.name

export const panelOf = ({ panel, panelName }: Review): string | undefined => panelName ?? panel

export interface ReviewFilter {
  held?: string
  business?: string
  panel?: string
}

/** Whether a report fits the filters of the list. */
export const matches =
  ({ held, business, panel }: ReviewFilter) =>
  (review: Review): boolean =>
    (held === undefined || heldAs(review).includes(held)) &&
    (business === undefined || nameOfBusiness(review) === business) &&
    (panel === undefined || panelOf(review) === panel)

const heldAs = (review: Review): string[] => [isFree(review) ? 'no' : 'yes', ...(review.hold?.isMine ? ['mine'] : [])]

/** Neither a reviewer nor a recall holds it back. */
export const isFree = ({ hold, isRecalled }: Review): boolean => !hold && !isRecalled
