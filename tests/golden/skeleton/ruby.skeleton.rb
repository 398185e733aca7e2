# frozen_string_literal: true

require 'set'
require_relative 'post'

# A weblog and everything that can be done to it.
module Weblog
  LIMITS = {
    title: 80,
    body: 10_000,
    tags: 12,
    # ... (10 lines)
  }.freeze

  # Raised when there is no such post.
  class Missing < StandardError
    attr_reader :slug

    def initialize(slug, near: nil)
      # ... (3 lines)
    end
  end

  class Archive
    include Enumerable
    extend Forwardable

    def_delegators :@posts, :size, :empty?

    class << self
      def open(path, mode: 'r', &block)
        # ... (6 lines)
      end
    end

    # All posts, newest first.
    #
    # @yieldparam post [Post]
    def each
      # ... (5 lines)
    end

    def self.template
      # ... (6 lines)
    end

    def [](slug) = @posts.fetch(slug) { raise Missing, slug }

    def ==(other)
      other.is_a?(Archive) && other.posts == posts
    end

    def valid?(post, *rest, strict: true, **options)
      # ... (7 lines)
    end

    private

    attr_writer :posts

    define_method(:reset) do |*|
      # ... (3 lines)
    end

    SLUG = lambda do |title|
      # ... (3 lines)
    end
  end
end

RSpec.describe Weblog::Archive do
  let(:archive) { described_class.new('posts') }

  it 'starts empty' do
    expect(archive).to be_empty
  end

  context 'with posts' do
    before do
      # ... (3 lines)
    end

    it 'lists the newest first' do
      # ... (3 lines)
    end
  end
end
