/** Why a test stopped whose consent was taken back: the reason of the kit's exception. */
export const WITHDRAWN_REASON = 'The person took back the consent to the test'
