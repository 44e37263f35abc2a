/** A statement with a constant text, and its values: parsed and planned once per connection. */
export interface Statement<T> {
  name: string
  text: string
  values: readonly unknown[]
  /** Exists only in the type. */
  row?: T
}

const declared = new Map<string, string>()

/** Declares a named statement: `$1`, `$2`, … stand for the values of each call. */
export function statement<T, V extends readonly unknown[]>(name: string, text: string) {
  // A connection would run the text that it has parsed by this name.
  if ((declared.get(name) ?? text) !== text) throw new Error(`two statements have the name ${name}`)
  declared.set(name, text)
  return (...values: V): Statement<T> => ({ name, text, values })
}
