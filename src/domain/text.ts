/** PostgreSQL stores neither NUL nor half a surrogate pair. */
export const isStorable = (value: string) => value.isWellFormed() && !value.includes('\0')
export const NOT_STORABLE = 'Holds characters that cannot be stored'
