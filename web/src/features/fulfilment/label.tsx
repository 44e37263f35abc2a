import css from '../../components/station/station.module.css'
import { t } from '../../language/t.ts'

/** The kit's label, visible on paper only. It is printed as soon as it is loaded. */
export function KitLabel({ kitID, onPrinted }: { kitID: string; onPrinted: () => void }) {
  return (
    <img
      className={css.label}
      src={`/operator/v1/kits/${kitID}/label`}
      alt={t('Label of {kitID}', { kitID })}
      onLoad={() => {
        window.print()
        onPrinted()
      }}
      onError={onPrinted}
    />
  )
}
