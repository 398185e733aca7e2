<?php

declare(strict_types=1);

namespace Example\Mail;

use Closure;
use Psr\Log\{LoggerAwareTrait, LoggerInterface};

const DEFAULT_PORT = 25;

/**
 * Sends letters, one at a time.
 *
 * @template T of Letter
 */
#[Service(lazy: true)]
final class Mailer implements Sender
{
    use LoggerAwareTrait;

    public const STATES = [
        'new' => 0,
        'queued' => 1,
        'sent' => 2,
        // ... (10 lines)
    ];

    private static ?self $instance = null;

    public function __construct(
        private readonly Transport $transport,
        protected int $port = DEFAULT_PORT,
        private array $queue = [],
    ) {
        // ... (3 lines)
    }

    /**
     * Sends a letter.
     */
    #[Retry(3)]
    public function send(Letter $letter, ?Closure $then = null): bool
    {
        // ... (10 lines)
    }

    public static function instance(): static
    {
        return self::$instance ??= new static(new Smtp());
    }

    protected function greeting(string $name): string
    {
        // ... (6 lines)
    }
}

interface Sender
{
    public function send(Letter $letter): bool;
}

enum Priority: string
{
    case Low = 'low';
    case High = 'high';

    public function label(): string
    {
        // ... (3 lines)
    }
}

trait Counts
{
    private int $count = 0;

    public function count(): int { return $this->count; }

    abstract protected function sign(Letter $letter): Letter;
}

function letters(iterable $rows): \Generator
{
    // ... (3 lines)
}

$handler = static function (array $event) use ($mailer): void {
    // ... (3 lines)
};

$double = fn (int $x): int => $x * 2;
?>
<p><?= htmlspecialchars($title) ?></p>
