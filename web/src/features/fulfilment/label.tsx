import css from '../../components/station/station.module.css'

/** The kit's label, visible on paper only. It is printed as soon as it is loaded. */
export function KitLabel({ kitID, onPrinted }: { kitID: string; onPrinted: () => void }) {
  return (
    <img
      className={css.label}
      src={`/operator/v1/kits/${kitID}/label`}
      alt={`Label of ${kitID}`}
      onLoad={() => {
        window.print()
        onPrinted()
      }}
      onError={onPrinted}
    />
  )
}
