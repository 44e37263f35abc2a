/** How long API requests can be looked up, unless the settings say it. */
export const REQUEST_LOG_DAYS = 7
/** The most that the settings may say: days are kept in 32 parts, with one for today, one for clocks ahead and one to spare. */
export const MAX_REQUEST_LOG_DAYS = 28
