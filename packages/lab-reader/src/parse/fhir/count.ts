/** All Observations of a file, wherever they stand: also those in resources that are not read. */
export function countObservations(json: unknown): number {
  let count = 0
  const left: unknown[] = [json]
  while (left.length > 0) {
    const one = left.pop()
    if (typeof one !== 'object' || one === null) continue
    if ('resourceType' in one && one.resourceType === 'Observation') count++
    for (const part of Object.values(one)) if (typeof part === 'object' && part !== null) left.push(part)
  }
  return count
}
