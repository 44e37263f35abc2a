export interface View {
  name: string
  /** The parameters of the list, without the search: what is searched for may be a person. */
  filters: Record<string, string>
}

const keyOf = (list: string) => ['kitlane.views', list].join(' ')

/** The views that this browser keeps of a list, which its path names: business, mode and list. */
export function readViews(list: string): View[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(list)) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isView) : []
  } catch {
    // Somebody else wrote there: as good as nothing.
    return []
  }
}

export function writeViews(list: string, views: readonly View[]): void {
  localStorage.setItem(keyOf(list), JSON.stringify(views))
}

function isView(value: unknown): value is View {
  if (typeof value !== 'object' || value === null) return false
  const { name, filters } = value as Partial<View>
  return typeof name === 'string' && typeof filters === 'object' && filters !== null
}
