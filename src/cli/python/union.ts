/** `Union[…]`, in which each type stands once, and texts of a choice stand together. */
export function oneOf(types: readonly string[]): string {
  const flat = [...new Set(types.flatMap((type) => (/^(?:Union|Optional)\[/.test(type) ? unionParts(type) : [type])))]
  const choices = flat.flatMap((type) => /^Literal\[(.*)\]$/.exec(type)?.[1] ?? [])
  const specific = flat.filter(
    (type) => type !== 'None' && !(type.startsWith('Literal[') || (type === 'Any' && flat.length > 1)),
  )
  // A choice that any text may stand in for is any text.
  const literals = choices.length > 0 && !specific.includes('str') ? [`Literal[${choices.join(', ')}]`] : []
  const all = [...literals, ...specific]
  const joined = all.length === 1 ? (all[0] ?? '') : `Union[${all.join(', ')}]`
  if (all.length === 0) return 'None'
  return flat.includes('None') ? `Optional[${joined}]` : joined
}

function unionParts(type: string): string[] {
  const isOptional = type.startsWith('Optional[')
  const inner = type.slice(type.indexOf('[') + 1, -1)
  if (isOptional) return [...(inner.startsWith('Union[') ? unionParts(inner) : [inner]), 'None']
  const parts: string[] = []
  let depth = 0
  let from = 0
  for (let at = 0; at <= inner.length; at++) {
    if (inner[at] === '[') depth++
    else if (inner[at] === ']') depth--
    else if (at === inner.length || (inner[at] === ',' && depth === 0)) {
      parts.push(inner.slice(from, at).trim())
      from = at + 1
    }
  }
  return parts
}
