import css from '../../components/station/station.module.css'

/** The kit's own label, seen on paper only. It is printed once it is drawn. */
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
