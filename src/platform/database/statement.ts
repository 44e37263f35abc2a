/** A statement whose text never changes, with its values: parsed and planned once a connection. */
export interface Statement<T> {
  name: string
  text: string
  values: readonly unknown[]
  /** Only its type is used. */
  row?: T
}

/** Declares a statement once: `$1` and so on stand for the values that each call gives, in their order. */
export const statement =
  <T, V extends readonly unknown[]>(name: string, text: string) =>
  (...values: V): Statement<T> => ({ name, text, values })
