import { TextInput } from '@mantine/core'
import { type KeyboardEvent, type RefObject, useEffect, useRef } from 'react'
import css from './station.module.css'

interface ScanFieldProps {
  label: string
  /** What was scanned; scanners end a code with Enter. Empty when Enter was pressed alone. */
  onScan: (text: string) => void
  /** Called for every key. True: the station has handled it. */
  onKey?: (event: KeyboardEvent<HTMLInputElement>) => boolean
  isBusy?: boolean
  fieldRef: RefObject<HTMLInputElement | null>
}

/** The one field of a station. It keeps the focus unless the person moves it on purpose. */
export function ScanField({ label, onScan, onKey, isBusy = false, fieldRef }: ScanFieldProps) {
  useKeepFocus(fieldRef)
  return (
    <TextInput
      ref={fieldRef}
      label={label}
      size="xl"
      classNames={{ input: css.field, label: css.fieldLabel }}
      autoComplete="off"
      autoCapitalize="characters"
      spellCheck={false}
      aria-busy={isBusy}
      onKeyDown={(event) => {
        if (onKey?.(event)) {
          event.preventDefault()
          return
        }
        if (event.key !== 'Enter') return
        event.preventDefault()
        // Read from the element and not from state: a scanner types faster than React renders.
        const text = event.currentTarget.value
        event.currentTarget.value = ''
        onScan(text)
      }}
    />
  )
}

/** For parts of a station that take the focus for one click. */
export function useScanField(): RefObject<HTMLInputElement | null> {
  return useRef<HTMLInputElement>(null)
}

function useKeepFocus(field: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    field.current?.focus()
    // A click outside of every control leaves nothing focused: the field takes the focus back.
    const back = () => {
      if (document.activeElement === document.body) field.current?.focus()
    }
    const later = () => setTimeout(back)
    document.addEventListener('focusout', later)
    window.addEventListener('focus', back)
    return () => {
      document.removeEventListener('focusout', later)
      window.removeEventListener('focus', back)
    }
  }, [field])
}
