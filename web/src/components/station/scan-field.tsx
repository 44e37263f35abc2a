import { TextInput } from '@mantine/core'
import { type KeyboardEvent, type RefObject, useEffect, useRef } from 'react'
import css from './station.module.css'

interface ScanFieldProps {
  label: string
  /** What was read, ended by Enter as scanners do; empty when Enter was pressed alone. */
  onScan: (text: string) => void
  /** A key that is no part of a code. True: it was one of the station's own. */
  onKey?: (event: KeyboardEvent<HTMLInputElement>) => boolean
  isBusy?: boolean
  fieldRef: RefObject<HTMLInputElement | null>
}

/** The one field of a station. It has the focus whenever nothing else was chosen on purpose. */
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
        // Read here and not from state: a scanner types faster than a page draws.
        const text = event.currentTarget.value
        event.currentTarget.value = ''
        onScan(text)
      }}
    />
  )
}

/** For the parts of a station that take the focus for one press. */
export function useScanField(): RefObject<HTMLInputElement | null> {
  return useRef<HTMLInputElement>(null)
}

function useKeepFocus(field: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    field.current?.focus()
    // A press beside every control leaves the focus on nothing: then it comes back.
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
