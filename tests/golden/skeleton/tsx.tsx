import React, { useCallback, useState } from 'react';

type Props<T> = {
  items: T[];
  render: (item: T) => React.ReactNode;
  onPick?: (item: T) => void;
};

/** A list in which one item can be picked. */
export function PickList<T extends { id: string }>({ items, render, onPick }: Props<T>) {
  const [picked, setPicked] = useState<string | null>(null);
  const pick = useCallback(
    (item: T) => {
      setPicked(item.id);
      onPick?.(item);
    },
    [onPick],
  );

  return (
    <ul className="pick-list">
      {items.map((item) => (
        <li key={item.id} aria-selected={item.id === picked} onClick={() => pick(item)}>
          {render(item)}
        </li>
      ))}
    </ul>
  );
}

export const Title: React.FC<{ text: string }> = ({ text }) => <h1>{text}</h1>;

const Empty = () => {
  const text = 'Nothing here';
  return (
    <p>
      {text}
    </p>
  );
};

export class Boundary extends React.Component<React.PropsWithChildren, { failed: boolean }> {
  state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  componentDidCatch(error: Error, info: React.ErrorInfo): void {
    console.error(error);
    console.error(info.componentStack);
    this.setState({ failed: true });
  }

  render() {
    if (this.state.failed) {
      return <Empty />;
    }
    return this.props.children;
  }
}

export default React.memo(PickList);
