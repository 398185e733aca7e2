import React, { useCallback, useState } from 'react';

type Props<T> = {
  items: T[];
  render: (item: T) => React.ReactNode;
  onPick?: (item: T) => void;
};

/** A list in which one item can be picked. */
export function PickList<T extends { id: string }>({ items, render, onPick }: Props<T>) {
  // ... (18 lines)
}

export const Title: React.FC<{ text: string }> = ({ text }) => <h1>{text}</h1>;

const Empty = () => {
  // ... (6 lines)
};

export class Boundary extends React.Component<React.PropsWithChildren, { failed: boolean }> {
  state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  componentDidCatch(error: Error, info: React.ErrorInfo): void {
    // ... (3 lines)
  }

  render() {
    // ... (4 lines)
  }
}

export default React.memo(PickList);
