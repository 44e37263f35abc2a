import { useRead } from '../../api/hooks.ts'

/** The panels that this business may order, and the name of a kit type. */
export function usePanels() {
  const panels = useRead('/api/v1/panels')
  const names = new Map(panels.data?.map(({ kitType, name }) => [kitType, name]))
  return {
    panels: panels.data,
    error: panels.error,
    nameOf: (kitType: string) => names.get(kitType) ?? kitType,
    options: (panels.data ?? []).map(({ kitType, name }) => ({ value: kitType, label: name })),
  }
}
