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
        'read' => 3,
        'bounced' => 4,
        'dropped' => 5,
        'late' => 6,
        'lost' => 7,
        'spam' => 8,
        'held' => 9,
        'signed' => 10,
        'sealed' => 11,
        'returned' => 12,
    ];

    private static ?self $instance = null;

    public function __construct(
        private readonly Transport $transport,
        protected int $port = DEFAULT_PORT,
        private array $queue = [],
    ) {
        if ($port < 1) {
            throw new \InvalidArgumentException("port {$port}");
        }
    }

    /**
     * Sends a letter.
     */
    #[Retry(3)]
    public function send(Letter $letter, ?Closure $then = null): bool
    {
        $this->queue[] = $letter;
        // The transport may be slow.
        $sent = match (true) {
            $letter->isEmpty() => false,
            default => $this->transport->deliver($letter),
        };
        if ($then !== null) {
            $then($letter, $sent);
        }
        return $sent;
    }

    public static function instance(): static
    {
        return self::$instance ??= new static(new Smtp());
    }

    protected function greeting(string $name): string
    {
        $hour = (int) date('G');
        $word = $hour < 12 ? 'morning' : 'day';
        return <<<TEXT
            Good {$word} {$name},
            }
            TEXT;
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
        $word = $this->value;
        $word = ucfirst($word);
        return "$word priority";
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
    foreach ($rows as $row) {
        yield new Letter(...$row);
    }
}

$handler = static function (array $event) use ($mailer): void {
    $letter = Letter::from($event);
    $mailer->send($letter);
    error_log('sent');
};

$double = fn (int $x): int => $x * 2;
?>
<p><?= htmlspecialchars($title) ?></p>
