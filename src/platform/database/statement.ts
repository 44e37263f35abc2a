/** A statement with a constant text, and its values: parsed and planned once per connection. */
export interface Statement<T> {
  name: string
  text: string
  values: readonly unknown[]
  /** Exists only in the type. */
  row?: T
}

/** Declares a named statement: `$1`, `$2`, … stand for the values of each call. */
export const statement =
  <T, V extends readonly unknown[]>(name: string, text: string) =>
  (...values: V): Statement<T> => ({ name, text, values })
