/** Whether a person who holds a kit can register it, or why not. */
export type RegistrationStatus = 'open' | 'registered' | 'canceled' | 'unpaid' | 'late' | 'recalled' | 'closed'
