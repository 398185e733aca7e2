# frozen_string_literal: true

require 'set'
require_relative 'post'

# A weblog and everything that can be done to it.
module Weblog
  LIMITS = {
    title: 80,
    body: 10_000,
    tags: 12,
    tag: 24,
    author: 40,
    email: 120,
    comment: 2_000,
    link: 250,
    name: 40,
    slug: 60,
    summary: 300,
    image: 5_000_000,
    feed: 20
  }.freeze

  # Raised when there is no such post.
  class Missing < StandardError
    attr_reader :slug

    def initialize(slug, near: nil)
      @slug = slug
      @near = near
      super("no post #{slug}")
    end
  end

  class Archive
    include Enumerable
    extend Forwardable

    def_delegators :@posts, :size, :empty?

    class << self
      def open(path, mode: 'r', &block)
        archive = new(path)
        return archive unless block

        archive.instance_eval(&block)
      ensure
        archive&.close
      end
    end

    # All posts, newest first.
    #
    # @yieldparam post [Post]
    def each
      return enum_for(:each) unless block_given?

      @posts.sort_by { |post| -post.date.to_i }.each do |post|
        yield post
      end
    end

    def self.template
      <<~HTML
        <article>
          <h1>%{title}</h1>
          end
        </article>
      HTML
    end

    def [](slug) = @posts.fetch(slug) { raise Missing, slug }

    def ==(other)
      other.is_a?(Archive) && other.posts == posts
    end

    def valid?(post, *rest, strict: true, **options)
      return false if post.title.nil?

      LIMITS.all? do |field, limit|
        post.public_send(field).to_s.size <= limit
      end
    rescue NoMethodError
      !strict
    end

    private

    attr_writer :posts

    define_method(:reset) do |*|
      @posts = Set.new
      @dirty = false
      @opened_at = nil
    end

    SLUG = lambda do |title|
      plain = title.downcase
      plain = plain.gsub(/[^a-z0-9]+/, '-')
      plain.delete_prefix('-')
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
      archive.add(post)
      archive.add(other)
      archive.close
    end

    it 'lists the newest first' do
      first, second = archive.to_a
      expect(first.date).to be > second.date
      expect(archive.size).to eq(2)
    end
  end
end
